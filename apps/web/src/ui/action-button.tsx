import type { BoundAction } from '../lib/actions.tsx'
import { shortcutKeys } from '../lib/shortcuts.ts'
import { type Texts, useTexts } from '../lib/texts.tsx'
import { Button, type ButtonProps, IconButton } from './button.tsx'
import type { MenuEntry } from './menu-parts.tsx'

export interface ActionButtonProps extends Pick<ButtonProps, 'className' | 'kind'> {
  readonly action: BoundAction
  /** In place of the action's own name, where the place says the rest. */
  readonly label?: string
}

/** An action as a button with its icon and its name. */
export function ActionButton({ action, label, kind, className }: ActionButtonProps) {
  const texts = useTexts()
  const { name, icon: Icon, tone, run } = action
  return (
    <Button kind={kind ?? tone ?? 'outline'} className={className} onClick={run} data-action={name}>
      {Icon !== undefined && <Icon size={18} aria-hidden="true" />}
      {label ?? texts(action.label)}
    </Button>
  )
}

/** An action as its icon alone; the name is read aloud and shown while the pointer rests on it. */
export function ActionIcon({ action, label }: { readonly action: BoundAction; readonly label?: string }) {
  const texts = useTexts()
  const { name, icon: Icon, run } = action
  return (
    <IconButton
      label={label ?? texts(action.label)}
      icon={Icon !== undefined && <Icon size={18} aria-hidden="true" />}
      onClick={run}
      data-action={name}
    />
  )
}

/** Actions as the entries of a menu. */
export function actionEntries(actions: readonly BoundAction[], texts: Texts): readonly MenuEntry[] {
  return actions.map(({ name, label, hint, icon: Icon, keys: [key] = [], tone, run }) => ({
    id: name,
    label: texts(label),
    hint: hint && texts(hint),
    icon: Icon !== undefined && <Icon size={18} aria-hidden="true" />,
    keys: key === undefined ? undefined : shortcutKeys(key),
    isDangerous: tone === 'danger',
    run,
  }))
}
