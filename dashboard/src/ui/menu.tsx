import * as Dropdown from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';

/** A button that opens a list of actions; arrow keys, type-ahead and Escape as people expect of one. A word is a button of that word. */
export function Menu(props: { trigger: ReactNode; label?: string; className?: string; children: ReactNode }) {
  const { trigger, label, className, children } = props;
  const isWord = typeof trigger === 'string';
  return (
    // Not modal: a modal one would add a style sheet to the page, which its policy forbids.
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild={!isWord} className={className}>
        {trigger}
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          className="menu"
          sideOffset={4}
          collisionPadding={8}
          align="end"
          aria-label={label ?? (isWord ? trigger : undefined)}
          loop
        >
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

export function MenuItem(props: {
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}) {
  const { onSelect, danger, disabled, children } = props;
  return (
    <Dropdown.Item className={danger ? 'danger' : undefined} disabled={disabled} onSelect={onSelect}>
      {children}
    </Dropdown.Item>
  );
}

export function MenuLink({
  href,
  download,
  children,
}: {
  href: string;
  download?: boolean;
  children: ReactNode;
}) {
  return (
    <Dropdown.Item asChild>
      <a href={href} download={download}>
        {children}
      </a>
    </Dropdown.Item>
  );
}

export function MenuCheck(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  const { checked, onChange, children } = props;
  return (
    <Dropdown.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      // Several are ticked at once.
      onSelect={(event) => event.preventDefault()}
    >
      <input type="checkbox" checked={checked} readOnly tabIndex={-1} aria-hidden="true" />
      {children}
    </Dropdown.CheckboxItem>
  );
}

/** One of several, ticked. */
export function MenuChoice<T extends string>(props: {
  label: string;
  options: readonly { value: T; name: string }[];
  value: T;
  onChange: (value: T) => void;
}) {
  const { label, options, value, onChange } = props;
  return (
    <Dropdown.RadioGroup aria-label={label} value={value} onValueChange={(chosen) => onChange(chosen as T)}>
      {options.map((option) => (
        <Dropdown.RadioItem key={option.value} value={option.value}>
          {option.name}
          <Dropdown.ItemIndicator>✓</Dropdown.ItemIndicator>
        </Dropdown.RadioItem>
      ))}
    </Dropdown.RadioGroup>
  );
}

export function MenuLine() {
  return <Dropdown.Separator asChild>{<hr />}</Dropdown.Separator>;
}
