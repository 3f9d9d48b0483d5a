/** The Redis server of a study is gone, or has lost the study's data too often. The message is for people. */
export class QueueError extends Error {
  override name = "QueueError";
}
