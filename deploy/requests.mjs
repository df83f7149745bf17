export function post(url, body, headers = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Throws unless the response has this 2xx status, or any 2xx where none is given. */
export async function readJson(response, status = null) {
  if (response.ok && (status === null || response.status === status)) return response.json();
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}

/** Returns the first API key, the workspace and the webhook secret of a new customer. */
export async function register(baseUrl, email) {
  return readJson(await post(`${baseUrl}/v1/auth/register`, { email }), 201);
}
