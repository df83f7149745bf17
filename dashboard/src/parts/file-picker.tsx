import { useRef } from 'react';

/** A button that opens the file dialog of the system. */
export function FilePicker({
  onFiles,
  multiple,
}: {
  onFiles: (files: Iterable<File>) => void;
  multiple: boolean;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <p>
      <button type="button" className="main" onClick={() => picker.current?.click()}>
        {multiple ? 'Choose files' : 'Choose a file'}
      </button>
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
    </p>
  );
}
