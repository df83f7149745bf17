/** For a file to be saved and never displayed: its content came from an untrusted upload. */
export function attachmentHeaders(fileName: string, contentType: string): Record<string, string> {
  return fileHeaders('attachment', fileName, contentType);
}

/**
 * For a file that we generated and a browser may display. It still contains untrusted text, so the page gets no scripts, no
 * network and an opaque origin.
 */
export function inlineHeaders(fileName: string, contentType: string): Record<string, string> {
  return {
    ...fileHeaders('inline', fileName, contentType),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  };
}

function fileHeaders(
  disposition: 'attachment' | 'inline',
  fileName: string,
  contentType: string,
): Record<string, string> {
  // `filename` takes only ASCII, for old clients; `filename*` is RFC 8187.
  const plain = fileName.replace(/[^A-Za-z0-9 ._()-]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    'Content-Type': contentType,
    'Content-Disposition': `${disposition}; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'Cache-Control': 'private, no-store',
  };
}
