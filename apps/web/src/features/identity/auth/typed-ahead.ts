/** What somebody did in the form that the server drew, before the page's own was there. */
interface TypedAhead {
  readonly username: string
  readonly password: string
  /** Where the focus was, and in a field which part of the text was selected. */
  readonly focus: { readonly key: string; readonly from: number | null; readonly to: number | null } | undefined
  /** The button that was pressed, with nothing typed after it; `assets/first-view.js` marks it. Enter in a field presses the form's. */
  readonly pressed: string | undefined
}

/** Asked while the form is drawn that takes its place in the same frame: nothing is typed in between. */
export function typedAhead(): TypedAhead {
  // The server draws the form, too.
  const drawn = typeof document === 'undefined' ? null : document.querySelector<HTMLElement>('#first')
  const valueOf = (name: string): string => drawn?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? ''
  const focused = drawn?.querySelector<HTMLElement>(':focus')
  const pressed = drawn?.querySelector('[data-pressed]')
  return {
    username: valueOf('username'),
    password: valueOf('password'),
    focus: focused ? { key: keyOf(focused), ...selectionIn(focused) } : undefined,
    pressed: pressed ? keyOf(pressed) : undefined,
  }
}

/** The focus is where it was, and what was pressed is pressed. */
export function goOn({ focus, pressed }: TypedAhead): void {
  if (focus === undefined && pressed === undefined) return
  const controls = [...document.querySelectorAll<HTMLElement>('#root :is(a, button, input)')]
  const counterpart = (key: string | undefined) => controls.find((control) => keyOf(control) === key)
  const focused = counterpart(focus?.key)
  focused?.focus()
  if (focused instanceof HTMLInputElement) focused.setSelectionRange(focus?.from ?? null, focus?.to ?? null)
  counterpart(pressed)?.click()
}

function selectionIn(element: HTMLElement) {
  const field = element instanceof HTMLInputElement ? element : undefined
  return { from: field?.selectionStart ?? null, to: field?.selectionEnd ?? null }
}

/** The same for a control that the server drew and for that of the page. */
function keyOf(control: Element): string {
  return [control.tagName, control.getAttribute('name'), control.ariaLabel, control.textContent].join('\n')
}
