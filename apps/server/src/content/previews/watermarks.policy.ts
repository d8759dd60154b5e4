/** Who looks, as far as the site knows. */
export interface Viewer {
  readonly account: string
  readonly name: string
  /** Remote address. */
  readonly address: string
}

const PLACEHOLDERS = ['account', 'name', 'time', 'address'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]
const PLACEHOLDER = /\{([^{}]*)\}/g
/** What a name may take of the line. */
const VALUE_MAX = 64
const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length
const DAY_LENGTH = 'YYYY-MM-DD'.length

function isPlaceholder(name: string): name is Placeholder {
  return PLACEHOLDERS.some((known) => known === name)
}

/** @returns the first name in braces that stands for nothing */
export function unknownPlaceholder(text: string): string | undefined {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name).find((name) => !isPlaceholder(name))
}

/** The line that is burnt in, with the minute in UTC. @param now Unix milliseconds */
export function markText(template: string, viewer: Viewer, now: number): string {
  return filled(template, viewer, `${new Date(now).toISOString().slice(0, MINUTE_LENGTH).replace('T', ' ')} UTC`)
}

/** Names the mark of a person on a day: what is made for it is shown to nobody else, and not on another day. */
export function markDay(template: string, viewer: Viewer, now: number): string {
  const { account, name, address } = viewer
  const day = new Date(now).toISOString().slice(0, DAY_LENGTH)
  return JSON.stringify([filled(template, viewer, day), account, name, address, day])
}

function filled(template: string, viewer: Viewer, time: string): string {
  const values: Readonly<Record<Placeholder, string>> = { ...viewer, time }
  return template.replaceAll(PLACEHOLDER, (whole, name: string) => (isPlaceholder(name) ? plain(values[name]) : whole))
}

/** One line without controls, and without half a character where it is cut: names come from people. */
function plain(value: string): string {
  return value.slice(0, VALUE_MAX).replaceAll(/[\p{Cc}\p{Cs}\p{Cf}]/gu, ' ')
}
