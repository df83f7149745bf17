type OnProgress = (fraction: number) => void;

export function putFile(
  url: string,
  file: File,
  contentType: string,
  onProgress: OnProgress,
): Promise<string> {
  return sendBody('PUT', url, { body: file, contentType, onProgress });
}

export function postFile(url: string, form: FormData, onProgress: OnProgress): Promise<string> {
  return sendBody('POST', url, { body: form, contentType: null, onProgress });
}

/** XMLHttpRequest, because fetch cannot tell how much of a body has gone out. */
function sendBody(
  method: 'PUT' | 'POST',
  url: string,
  {
    body,
    contentType,
    onProgress,
  }: { body: File | FormData; contentType: string | null; onProgress: OnProgress },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    if (contentType !== null) request.setRequestHeader('content-type', contentType);
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () =>
      request.status < 300
        ? resolve(request.responseText)
        : reject(new Error(readDetail(request.responseText)));
    request.onerror = () => reject(new Error('The connection broke while the file was on its way.'));
    request.send(body);
  });
}

function readDetail(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail : 'The file was refused.';
  } catch {
    return 'The file was refused.';
  }
}
