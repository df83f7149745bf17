type SendOptions = { onProgress: (fraction: number) => void; signal?: AbortSignal };

export function putFile(url: string, file: File, contentType: string, options: SendOptions): Promise<string> {
  return sendBody('PUT', url, file, contentType, options);
}

export function postFile(url: string, form: FormData, options: SendOptions): Promise<string> {
  return sendBody('POST', url, form, null, options);
}

/** Uses XMLHttpRequest because fetch reports no upload progress. An abort rejects with the signal's reason. */
function sendBody(
  method: 'PUT' | 'POST',
  url: string,
  body: File | FormData,
  contentType: string | null,
  { onProgress, signal }: SendOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    if (contentType !== null) request.setRequestHeader('content-type', contentType);
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () =>
      request.status < 300
        ? resolve(request.responseText)
        : reject(new Error(readDetail(request.responseText)));
    request.onerror = () => reject(new Error('The connection broke while the file was on its way.'));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function readDetail(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail : 'The file could not be uploaded.';
  } catch {
    return 'The file could not be uploaded.';
  }
}
