import * as Dropdown from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';

/** A button that opens, and names, a menu with the usual keyboard control. A text as `trigger` is its label; an element is the button. */
export function Menu(props: { trigger: ReactNode; className?: string; children: ReactNode }) {
  const { trigger, className, children } = props;
  return (
    // A modal menu would insert a style element, which the page's content security policy forbids.
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild={typeof trigger !== 'string'} className={className}>
        {trigger}
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content className="menu" sideOffset={4} collisionPadding={8} align="end" loop>
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

export function MenuLink(props: { href: string; download?: boolean; children: ReactNode }) {
  const { href, download, children } = props;
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
      // Keeps the menu open, because several are often ticked at once.
      onSelect={(event) => event.preventDefault()}
    >
      <input type="checkbox" checked={checked} readOnly tabIndex={-1} aria-hidden="true" />
      {children}
    </Dropdown.CheckboxItem>
  );
}

/** A group of options of which one is ticked. */
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
