/** A key combination such as `Mod+A`, `Shift+F10`, `F2`, `?` or `Alt+ArrowUp`. `Mod` is Cmd on a Mac, Ctrl elsewhere. */
export type Shortcut = string

/** Combinations that belong to the browser or the screen reader; no action may take them. */
export const FORBIDDEN: readonly Shortcut[] = [
  'Mod+F',
  'Mod+K',
  'Mod+L',
  'Mod+T',
  'Mod+W',
  'Mod+N',
  'Mod+R',
  'Mod+S',
  'Mod+P',
  'Mod+D',
  'Mod+H',
  'Mod+J',
  'Mod+Tab',
  'Alt+ArrowLeft',
  'Alt+ArrowRight',
  'F3',
  'F5',
  'F6',
  'F11',
  'F12',
]

export interface KeyLike {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** True on keyboards whose main modifier is Cmd. */
export function isMac(platform: string): boolean {
  return /mac|iphone|ipad/i.test(platform)
}

export function matchesShortcut(event: KeyLike, shortcut: Shortcut, mac = isMac(navigator.platform)): boolean {
  const parts = shortcut.split('+')
  const key = parts.at(-1) === '' ? '+' : (parts.at(-1) ?? '')
  const has = (name: string): boolean => parts.slice(0, -1).includes(name)
  if (event.key.toLowerCase() !== key.toLowerCase()) return false
  const mod = mac ? event.metaKey : event.ctrlKey
  const other = mac ? event.ctrlKey : event.metaKey
  // A sign such as `?` needs Shift on many keyboards; the sign itself is what was meant.
  const isSign = key.length === 1 && !/[a-z\d]/i.test(key)
  return mod === has('Mod') && !other && event.altKey === has('Alt') && (isSign || event.shiftKey === has('Shift'))
}

/** One printable character without a main modifier: switched off on wish (WCAG 2.1.4). */
export function isSingleKey(shortcut: Shortcut): boolean {
  return shortcut.replace(/^Shift\+/, '').length === 1
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Delete: 'Del',
}

/** How keys are written for a person. */
export function shortcutKeys(shortcut: Shortcut, mac = isMac(navigator.platform)): readonly string[] {
  return shortcut.split('+').map((part) => {
    if (part === 'Mod') return mac ? '⌘' : 'Ctrl'
    if (part === 'Alt' && mac) return '⌥'
    return NAMES[part] ?? part
  })
}

/** Keys typed into a field belong to the field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isText = target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
  const isChoice = target instanceof HTMLSelectElement
  return isText || isChoice || target instanceof HTMLTextAreaElement || target.isContentEditable
}
