import type { OverallState } from '@godwit/contract'
import { Bus, type BusAnswer } from './bus/bus.ts'
import type { Message } from './bus/message.ts'
import type { Variant } from './bus/wire.ts'
import { stateIcon } from './tray-icon.ts'
import type { TrayTexts } from './tray-texts.ts'

export interface TrayDeps {
  /** As DBUS_SESSION_BUS_ADDRESS has it. */
  readonly address: string
  readonly texts: TrayTexts
  readonly open: () => void
  readonly pauseAll: () => void
  readonly resumeAll: () => void
  readonly quit: () => void
}

/** A place for the state of the client outside its page. Another system has another one behind it. */
export interface Tray {
  /** @param isPaused whether everything rests, whatever is worse than that */
  show(state: OverallState, isPaused: boolean): void
  close(): void
}

const ITEM = 'org.kde.StatusNotifierItem'
const ITEM_PATH = '/StatusNotifierItem'
const MENU = 'com.canonical.dbusmenu'
const MENU_PATH = '/MenuBar'
const WATCHER = 'org.kde.StatusNotifierWatcher'
const PROPERTIES = 'org.freedesktop.DBus.Properties'

/** Entries of the menu, by their number on the bus. */
const ENTRIES = { 1: 'open', 2: 'pause', 3: 'quit' } as const
type EntryId = keyof typeof ENTRIES

const text = (value: string): Variant => ({ type: 's', value })

/**
 * StatusNotifierItem with its menu (freedesktop.org, and com.canonical.dbusmenu). A desktop that has no such place, or gets one later, as
 * when its panel starts again, is no fault: the item registers whenever somebody watches.
 * @throws Error without a bus
 */
export async function openTray(deps: TrayDeps): Promise<Tray> {
  const bus = await Bus.connect(deps.address)
  const item = new StatusItem(bus, deps)
  bus.handle = (call) => item.answer(call)
  const name = `${ITEM}-${process.pid}-1`
  await bus.ask('RequestName', 'su', name, 0)
  const register = (): void => {
    const call = { destination: WATCHER, path: `/StatusNotifierWatcher`, interface: WATCHER }
    // Nobody watches yet.
    bus.call({ ...call, member: 'RegisterStatusNotifierItem', signature: 's', body: [name] }).catch(() => undefined)
  }
  bus.heard = ({ member, body: [who, , owner] }) => {
    if (member === 'NameOwnerChanged' && who === WATCHER && owner !== '') register()
  }
  await bus.ask('AddMatch', 's', `type='signal',member='NameOwnerChanged',arg0='${WATCHER}'`)
  register()
  return { show: (state, isPaused) => item.show(state, isPaused), close: () => bus.close() }
}

class StatusItem {
  readonly #bus: Bus
  readonly #deps: TrayDeps
  #state: OverallState = 'idle'
  #isPaused = false
  #revision = 1

  constructor(bus: Bus, deps: TrayDeps) {
    this.#bus = bus
    this.#deps = deps
  }

  show(state: OverallState, isPaused: boolean): void {
    if (state === this.#state && isPaused === this.#isPaused) return
    this.#state = state
    this.#isPaused = isPaused
    this.#revision++
    const signal = { path: ITEM_PATH, interface: ITEM }
    for (const member of ['NewIcon', 'NewToolTip']) this.#bus.emit({ ...signal, member })
    this.#bus.emit({ ...signal, member: 'NewStatus', signature: 's', body: [this.#status] })
    const layout = { path: MENU_PATH, interface: MENU, member: 'LayoutUpdated' }
    this.#bus.emit({ ...layout, signature: 'ui', body: [this.#revision, 0] })
  }

  /** @returns undefined for what the item does not have */
  answer(call: Message): BusAnswer | undefined {
    const [first, second] = call.body
    switch (`${call.interface} ${call.member}`) {
      case `${PROPERTIES} GetAll`:
        return { signature: 'a{sv}', body: [Object.entries(this.#properties(call.path))] }
      case `${PROPERTIES} Get`: {
        const found = this.#properties(call.path)[String(second)]
        return found === undefined ? undefined : { signature: 'v', body: [found] }
      }
      case `${ITEM} Activate`:
      case `${ITEM} SecondaryActivate`:
        this.#deps.open()
        return { signature: '', body: [] }
      case `${MENU} GetLayout`:
        return { signature: 'u(ia{sv}av)', body: [this.#revision, this.#layout(Number(first))] }
      case `${MENU} GetGroupProperties`:
        return { signature: 'a(ia{sv})', body: [this.#ids.map((id) => [id, Object.entries(this.#entry(id))])] }
      case `${MENU} AboutToShow`:
        return { signature: 'b', body: [false] }
      case `${MENU} Event`:
        if (second === 'clicked') this.#press(Number(first))
        return { signature: '', body: [] }
      default:
        return undefined
    }
  }

  get #status(): string {
    return this.#state === 'error' || this.#state === 'asking' ? 'NeedsAttention' : 'Active'
  }

  get #ids(): readonly EntryId[] {
    return [1, 2, 3]
  }

  #properties(path: string | undefined): Readonly<Record<string, Variant>> {
    if (path === MENU_PATH) return { Version: { type: 'u', value: 3 }, Status: text('normal') }
    const icon: Variant = { type: 'a(iiay)', value: [stateIcon(this.#state)] }
    const said = this.#deps.texts[this.#state]
    return {
      ...{ Category: text('Communications'), Id: text('godwit-client'), Title: text('Godwit'), IconName: text('') },
      ...{ Status: text(this.#status), IconPixmap: icon, AttentionIconPixmap: icon },
      ToolTip: { type: '(sa(iiay)ss)', value: ['', [], 'Godwit', said] },
      Menu: { type: 'o', value: MENU_PATH },
      ItemIsMenu: { type: 'b', value: false },
    }
  }

  #layout(parent: number): readonly unknown[] {
    const entryOf = (id: EntryId): readonly unknown[] => [id, Object.entries(this.#entry(id)), []]
    const known = this.#ids.find((id) => id === parent)
    if (known !== undefined) return entryOf(known)
    const children = this.#ids.map((id): Variant => ({ type: '(ia{sv}av)', value: entryOf(id) }))
    return [0, [['children-display', text('submenu')]], children]
  }

  #entry(id: EntryId): Readonly<Record<string, Variant>> {
    const name = ENTRIES[id]
    return { label: text(this.#deps.texts[name === 'pause' && this.#isPaused ? 'resume' : name]) }
  }

  #press(id: number): void {
    if (id === 1) this.#deps.open()
    else if (id === 2 && this.#isPaused) this.#deps.resumeAll()
    else if (id === 2) this.#deps.pauseAll()
    else if (id === 3) this.#deps.quit()
  }
}
