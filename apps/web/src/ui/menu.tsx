import { cloneElement, type ComponentType, type ReactElement, type ReactNode, type Ref, useRef, useState } from 'react'
import { lazyModule, lazyPart, lazyWindow } from '../lib/lazy.tsx'
import type { MenuChoicesProps } from './menu-parts.tsx'

const parts = lazyModule(() => import('./menu-parts.tsx'))
const Popup = lazyWindow(parts, (module) => module.MenuPopup)
const Choices = lazyPart(parts, (module): ComponentType<MenuChoicesProps<string>> => module.MenuChoices)

/** Menus come with a quarter of the page's code; it arrives when the page is idle or the first one opens. */
export const preloadMenus = parts.prefetch

export const MenuEntries = lazyPart(parts, (module) => module.MenuEntries)

export const MenuSeparator = lazyPart(parts, (module) => module.MenuSeparator)

interface TriggerProps {
  readonly ref?: Ref<HTMLButtonElement>
  readonly onClick?: () => void
  readonly 'aria-haspopup'?: 'menu'
  readonly 'aria-expanded'?: boolean
}

export interface MenuButtonProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<TriggerProps>
  readonly align?: 'start' | 'end'
  readonly children: ReactNode
}

export function MenuButton({ trigger, align = 'start', children }: MenuButtonProps) {
  const ref = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  const toggle = (): void => {
    setAnchor(anchor === null ? ref.current : null)
  }
  return (
    <>
      {cloneElement(trigger, {
        ref,
        onClick: toggle,
        'aria-haspopup': 'menu',
        'aria-expanded': anchor !== null,
      })}
      {anchor !== null && (
        <Popup anchor={anchor} align={align} returnTo={anchor} onClose={() => setAnchor(null)}>
          {children}
        </Popup>
      )}
    </>
  )
}

export interface PointMenuProps {
  /** Where the menu opens, in page coordinates; undefined closes it. */
  readonly at: { readonly x: number; readonly y: number } | undefined
  readonly returnTo: HTMLElement | null
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A menu that opens at a point: right click, long press, or the menu key. */
export function PointMenu({ at, returnTo, onClose, children }: PointMenuProps) {
  if (at === undefined) return null
  const anchor = { getBoundingClientRect: () => DOMRect.fromRect({ ...at, width: 0, height: 0 }) }
  return (
    <Popup anchor={anchor} align="start" returnTo={returnTo} onClose={onClose}>
      {children}
    </Popup>
  )
}

export function MenuChoices<Value extends string>({ onChange, ...rest }: MenuChoicesProps<Value>) {
  return <Choices {...rest} onChange={(next) => onChange(next as Value)} />
}
