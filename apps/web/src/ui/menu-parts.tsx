import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ROOMY, useMedia } from '../lib/use-media.ts'
import { classNames } from './class-names.ts'
import { isOn, useExposedGuards } from './floating.ts'
import styles from './menu.module.css'

export interface MenuEntry {
  readonly id: string
  readonly label: string
  /** One line about when it is the right one. */
  readonly hint?: string | undefined
  readonly icon?: ReactNode
  readonly keys?: readonly string[] | undefined
  readonly isDangerous?: boolean
  readonly run: () => void
}

export interface MenuPopupProps {
  /** The element it belongs to, or a point: anything with a box on the screen. */
  readonly anchor: { getBoundingClientRect(): DOMRect }
  readonly align: 'start' | 'end'
  /** What gets the focus back. */
  readonly returnTo: HTMLElement | null
  readonly onClose: () => void
  readonly children: ReactNode
}

/** An open menu. */
export function MenuPopup({ anchor, align, returnTo, onClose, children }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  useExposedGuards()
  useEffect(() => {
    if (returnTo?.matches(':focus-visible') !== true) return
    // Who came by keyboard stands on the first entry, once the menu has the focus itself.
    const frame = requestAnimationFrame(() => popup.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus())
    return () => cancelAnimationFrame(frame)
  }, [returnTo])
  return (
    <Base.Root open onOpenChange={(isOpen, { event }) => !isOpen && !isOn(anchor, event) && onClose()} modal={false}>
      <Base.Portal>
        <Base.Positioner
          className={styles['positioner']}
          align={align}
          sideOffset={4}
          anchor={anchor}
          // At a point there is nothing that must stay in sight, so a long menu may lie over it.
          {...(anchor instanceof Element ? {} : { collisionAvoidance: { side: 'shift', align: 'shift' } as const })}
        >
          <Base.Popup
            ref={popup}
            className={styles['popup']}
            finalFocus={() => returnTo ?? true}
            onKeyDown={(event) => {
              if (event.key !== 'Tab') return
              event.preventDefault()
              onClose()
            }}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Keys are shown where there is a keyboard to press them on. */
export function MenuEntries({ entries }: { readonly entries: readonly MenuEntry[] }) {
  const isRoomy = useMedia(ROOMY)
  return entries.map(({ id, label, hint, icon, keys, isDangerous, run }) => (
    <Base.Item
      key={id}
      className={classNames(styles['item'], isDangerous === true && styles['danger'])}
      data-action={id}
      onClick={run}
    >
      {icon}
      <span className={styles['label']}>
        {label}
        {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
      </span>
      {isRoomy && keys !== undefined && keys.length > 0 && <span className={styles['keys']}>{keys.join(' ')}</span>}
    </Base.Item>
  ))
}

export function MenuSeparator() {
  return <Base.Separator className={styles['separator']} />
}

export interface MenuChoicesProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: ReadonlyArray<{ readonly value: Value; readonly label: string; readonly lang?: string }>
  readonly onChange: (value: Value) => void
}

export function MenuChoices<Value extends string>({ label, value, choices, onChange }: MenuChoicesProps<Value>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)} aria-label={label}>
      <div className={styles['groupLabel']} aria-hidden="true">
        {label}
      </div>
      {choices.map((choice) => (
        <Base.RadioItem key={choice.value} value={choice.value} className={styles['item']} lang={choice.lang}>
          <span className={styles['check']}>
            <Base.RadioItemIndicator>
              <Check size={18} aria-hidden="true" />
            </Base.RadioItemIndicator>
          </span>
          <span className={styles['label']}>{choice.label}</span>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}
