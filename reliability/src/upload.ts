import type { Tenant } from './tenant.ts';

export type AudioFile = { name: string; bytes: Uint8Array };

export function fileForm({ name, bytes }: AudioFile, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
}

/** Uploads without the driver and its history: the caller judges the answer. */
export function uploadFile(
  url: string,
  tenant: Tenant,
  file: AudioFile,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = { 'x-api-key': tenant.apiKey };
  const init = { method: 'POST', headers, body: fileForm(file), ...(signal ? { signal } : {}) };
  return fetch(`${url}/v1/analyze/upload`, init);
}
