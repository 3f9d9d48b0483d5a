/** The most urgent alarm that nobody has acknowledged, one line high, on every page. */
export function AlarmLine() {
  return <div className="alarm-line" />;
}
