/** What somebody typed into the form that the server drew, before the page's own was there. */
interface TypedAhead {
  readonly username: string
  readonly password: string
  /** Of the field that had the focus. */
  readonly focus: { readonly name: string; readonly from: number | null; readonly to: number | null } | undefined
  /** Enter was pressed, and nothing typed after it; `assets/first-view.js` notes it. */
  readonly isSent: boolean
}

/** Asked while the form is drawn that takes its place in the same frame: nothing is typed in between. */
export function typedAhead(): TypedAhead {
  // The server draws the form, too.
  const drawn = typeof document === 'undefined' ? null : document.querySelector<HTMLElement>('#first')
  const valueOf = (name: string): string => drawn?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? ''
  const field = drawn?.querySelector<HTMLInputElement>('input:focus')
  return {
    username: valueOf('username'),
    password: valueOf('password'),
    focus: field ? { name: field.name, from: field.selectionStart, to: field.selectionEnd } : undefined,
    isSent: drawn?.dataset['sent'] !== undefined,
  }
}

/** The focus is where it was, and Enter does what it was pressed for. */
export function goOn({ focus, isSent }: TypedAhead, form: HTMLFormElement | null | undefined): void {
  const field = focus && form?.elements.namedItem(focus.name)
  if (field instanceof HTMLInputElement) {
    field.focus()
    field.setSelectionRange(focus?.from ?? null, focus?.to ?? null)
  }
  if (isSent) form?.requestSubmit()
}
