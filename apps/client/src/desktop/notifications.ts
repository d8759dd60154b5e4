import { Bus } from './bus/bus.ts'
import type { Message } from './bus/message.ts'
import type { Variant } from './bus/wire.ts'

export interface NoteAction {
  readonly label: string
  readonly run: () => void
}

export interface Note {
  readonly title: string
  /** Plain text; names in it may have any sign. */
  readonly text: string
  readonly isUrgent: boolean
  /** The first one is also what a click on the notification does. */
  readonly actions: readonly NoteAction[]
  /** Takes the place of the last one of the same kind, while that is still shown. */
  readonly kind: string
}

const SERVER = 'org.freedesktop.Notifications'
const CALL = { destination: SERVER, path: '/org/freedesktop/Notifications', interface: SERVER }
/** "The notification's timeout is dependent on the server's settings." */
const USUAL_TIME = -1
const LOW = 0
const NORMAL = 1

/**
 * Notifications of the desktop (Desktop Notifications Specification 1.2). A desktop that shows none, or none with buttons, is no
 * fault; one that starts again is found again.
 */
export class Notifications {
  readonly #address: string
  readonly #shown = new Map<number, Note>()
  #bus: Promise<Bus> | undefined

  /** @param address as DBUS_SESSION_BUS_ADDRESS has it */
  constructor(address: string) {
    this.#address = address
  }

  /** @returns whether a desktop took it */
  async show(note: Note): Promise<boolean> {
    try {
      const bus = await (this.#bus ??= this.#connect())
      const [names] = await bus.call({ ...CALL, member: 'GetCapabilities' })
      const can = new Set(names as readonly string[])
      const id = await this.#notify(bus, note, can)
      this.#shown.set(id, note)
      return true
    } catch {
      return false
    }
  }

  async close(): Promise<void> {
    const bus = await this.#bus?.catch(() => undefined)
    bus?.close()
  }

  async #notify(bus: Bus, note: Note, can: ReadonlySet<string>): Promise<number> {
    const { title, text, isUrgent, actions, kind } = note
    const [last = 0] = [...this.#shown].findLast(([, other]) => other.kind === kind) ?? []
    const buttons = can.has('actions') ? actions.flatMap(({ label }, at) => [String(at), label]) : []
    const [first] = can.has('actions') ? actions : []
    const pressed = first === undefined ? [] : ['default', first.label]
    const hints: ReadonlyArray<readonly [string, Variant]> = [
      ['desktop-entry', { type: 's', value: 'godwit-client' }],
      ['category', { type: 's', value: isUrgent ? 'transfer.error' : 'transfer.complete' }],
      ['urgency', { type: 'y', value: isUrgent ? NORMAL : LOW }],
    ]
    const body = can.has('body-markup') ? plainAsMarkup(text) : text
    const [id] = await bus.call({
      ...{ ...CALL, member: 'Notify', signature: 'susssasa{sv}i' },
      body: ['Godwit', last, 'godwit-client', title, body, [...pressed, ...buttons], hints, USUAL_TIME],
    })
    return Number(id)
  }

  async #connect(): Promise<Bus> {
    try {
      const bus = await Bus.connect(this.#address)
      bus.heard = (signal) => this.#hear(signal)
      for (const member of ['ActionInvoked', 'NotificationClosed'])
        await bus.ask('AddMatch', 's', `type='signal',sender='${SERVER}',interface='${SERVER}',member='${member}'`)
      void bus.closed().then(() => this.#forget())
      return bus
    } catch (thrown) {
      this.#forget()
      throw thrown
    }
  }

  #forget(): void {
    this.#bus = undefined
    this.#shown.clear()
  }

  #hear({ member, body: [id, key] }: Message): void {
    const note = this.#shown.get(Number(id))
    if (note === undefined) return
    if (member === 'NotificationClosed') this.#shown.delete(Number(id))
    else if (member === 'ActionInvoked') note.actions[key === 'default' ? 0 : Number(key)]?.run()
  }
}

/** "Markup": what a server reads as such has these signs; without them text is text. */
function plainAsMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
