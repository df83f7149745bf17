import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { escapeHtml } from '../http/html.ts';

hljs.registerLanguage('sh', bash);
hljs.registerLanguage('json', json);
hljs.registerLanguage('python', python);
hljs.registerLanguage('ts', typescript);

/** Code as HTML, with classes for its colours if the language is known. Done on the server, so that pages need no script for it. */
export function highlightCode(code: string, language: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
}
