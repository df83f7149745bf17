import { Check, Copy } from 'lucide-react';
import { useState } from 'react';

/** Long enough to read "Copied". */
const COPIED_MS = 2_000;

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    } catch {
      // Refused, or missing: browsers have a clipboard only over HTTPS and on localhost.
      window.prompt('Copy this:', text);
    }
  };
  return (
    <button type="button" className="small" onClick={() => void copy()}>
      {copied ? <Check size={14} /> : <Copy size={14} />} {copied ? 'Copied' : label}
    </button>
  );
}
