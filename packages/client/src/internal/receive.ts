/** What has come back so far. Filled while it arrives: when that breaks off, what came before is worth reading. */
export interface Received {
  response?: Response;
  text: string;
}

/** Far more than any answer of the API. More is a fault or an attack, such as a small body that unpacks to gigabytes. */
const LARGEST_BODY = 10_000_000;

/** The one function with network I/O: sends a request and reads the whole body. */
export async function receive(
  received: Received,
  request: Request,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const response = await fetch(request);
  received.response = response;
  // Without a body, or without streams (React Native).
  if (!response.body?.getReader) {
    received.text = await response.text();
    return;
  }
  const reader = response.body.getReader();
  const { signal } = request;
  const cancel = () => reader.cancel(signal.reason).catch(() => {});
  // A response that was not made by the runtime's own fetch knows nothing of the signal.
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    received.text += decoder.decode(value, { stream: !done });
    if (done) return;
    size += value.length;
    if (size > LARGEST_BODY) {
      cancel();
      throw new RangeError(`the body is larger than ${LARGEST_BODY} bytes`);
    }
  }
}
