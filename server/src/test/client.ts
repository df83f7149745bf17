export type JsonAnswer<B> = { status: number; headers: Headers; body: B };

/** A client of a started service. It sends its credentials with every request. */
export type TestClient = {
  get<B = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<JsonAnswer<B>>;
  post<B = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<JsonAnswer<B>>;
  send<B = Record<string, unknown>>(path: string, init: RequestInit): Promise<JsonAnswer<B>>;
};

export function createTestClient(baseUrl: string, credentials: Record<string, string> = {}): TestClient {
  async function send<B>(path: string, init: RequestInit): Promise<JsonAnswer<B>> {
    const headers = { ...credentials, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? null : JSON.parse(text)) as B,
    };
  }
  return {
    send,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, body, headers = {}) =>
      send(path, {
        method: 'POST',
        ...(body === undefined
          ? { headers }
          : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }),
      }),
  };
}

/** A multipart form with the audio in the field `file`. */
export function audioForm(
  bytes: Uint8Array,
  options: { fileName?: string; fields?: Record<string, string> } = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(options.fields ?? {})) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), options.fileName ?? 'song.wav');
  return form;
}
