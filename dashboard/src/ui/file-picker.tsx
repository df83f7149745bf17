import { type ReactNode, useRef } from 'react';

/** A button that opens the system's file dialog. */
export function FilePicker(props: {
  onFiles: (files: File[]) => void;
  multiple?: boolean;
  children: ReactNode;
}) {
  const { onFiles, multiple = false, children } = props;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <span>
      {/* Before the button: after it, at the edge of the screen, the hidden input would widen the page. */}
      <input
        ref={picker}
        className="visually-hidden"
        type="file"
        accept="audio/*,video/mp4,video/webm"
        multiple={multiple}
        aria-label={multiple ? 'Audio files' : 'Audio file'}
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <button type="button" className="main" onClick={() => picker.current?.click()}>
        {children}
      </button>
    </span>
  );
}
