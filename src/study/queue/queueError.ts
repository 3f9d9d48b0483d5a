/** The Redis server of a study or run is gone, or has lost its data too often. The message is for people. */
export class QueueError extends Error {
  override name = "QueueError";
}
