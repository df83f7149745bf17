/** Headers of a file to be saved, never shown: what it holds came from a stranger's upload. */
export function attachmentHeaders(fileName: string, contentType: string): Record<string, string> {
  return fileHeaders('attachment', fileName, contentType);
}

/**
 * Headers of a file that we wrote and a browser may show. Words in it are still a stranger's, so the page gets no script, no
 * network and no origin of its own.
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
  // The plain form is for old clients and takes only safe ASCII; the other is RFC 8187.
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
