/** To standard error, on a line of its own also where a progress bar is drawn. */
export const printWarning = (text: string): void =>
  void process.stderr.write(`${process.stderr.isTTY === true ? "\r\u001b[K" : ""}vppsim: warning: ${text}\n`);
