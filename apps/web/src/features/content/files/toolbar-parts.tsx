import { ChevronDown, EllipsisVertical } from 'lucide-react'
import type { BoundAction } from '../../../lib/actions.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { ActionButton, actionEntries } from '../../../ui/action-button.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { MenuButton, MenuEntries } from '../../../ui/menu.tsx'
import styles from './toolbar.module.css'

interface SplitButtonProps {
  readonly actions: readonly BoundAction[]
  readonly label: string
  readonly className?: string | undefined
}

/** The first action as a button, and a menu beside it when there are more. */
export function SplitButton({ actions, label, className }: SplitButtonProps) {
  const texts = useTexts()
  const [first] = actions
  if (first === undefined) return null
  const button = <ActionButton action={first} label={label} {...(className !== undefined && { className })} />
  if (actions.length === 1) return button
  return (
    <div className={styles['split']}>
      {button}
      <MenuButton
        trigger={
          <IconButton kind="solid" label={texts('common.more')} icon={<ChevronDown size={18} aria-hidden="true" />} />
        }
      >
        <MenuEntries entries={actionEntries(actions, texts)} />
      </MenuButton>
    </div>
  )
}

/** Actions that share one button, none of them before the others; a single one has it for itself. */
export function KindredActions({ actions, label }: Pick<SplitButtonProps, 'actions' | 'label'>) {
  const texts = useTexts()
  const [first, second] = actions
  if (first === undefined) return null
  if (second === undefined) return <ActionButton action={first} />
  const { icon: Icon } = first
  return (
    <MenuButton
      trigger={
        <Button data-action={first.name}>
          {Icon !== undefined && <Icon size={18} aria-hidden="true" />}
          {label}
          <ChevronDown size={18} aria-hidden="true" />
        </Button>
      }
    >
      <MenuEntries entries={actionEntries(actions, texts)} />
    </MenuButton>
  )
}

/** What there is no room for. */
export function MoreActions({ actions }: { readonly actions: readonly BoundAction[] }) {
  const texts = useTexts()
  if (actions.length === 0) return null
  return (
    <MenuButton
      align="end"
      trigger={<IconButton label={texts('common.more')} icon={<EllipsisVertical size={20} aria-hidden="true" />} />}
    >
      <MenuEntries entries={actionEntries(actions, texts)} />
    </MenuButton>
  )
}
