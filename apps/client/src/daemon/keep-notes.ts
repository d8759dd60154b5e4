import { spawn } from 'node:child_process'
import type { Context } from '../commands/context.ts'
import { NOTE_TEXTS } from '../desktop/note-texts.ts'
import { Notifications } from '../desktop/notifications.ts'
import { clipboardOf, openPlace } from '../desktop/open-place.ts'
import { localeOf } from '../doctor/texts.ts'
import { readPreferences } from '../profiles/preferences.ts'
import type { Queue, QueueItem } from '../queue/queue.ts'
import type { QueueEvent } from '../queue/runner.ts'
import { messageOf } from '../transfers/reason.ts'
import { itemNote } from './item-notes.ts'

/** Where notifications are shown: a Linux desktop with a message bus. */
export function canNotify(environment: NodeJS.ProcessEnv): boolean {
  return process.platform === 'linux' && Boolean(environment['DBUS_SESSION_BUS_ADDRESS'])
}

export interface NotesParts {
  readonly queue: Pick<Queue, 'conflicts'>
  /** Starts this program. */
  readonly program: readonly [string, ...string[]]
}

/** Notifies the person at this computer of what became of transfers, unless that is off. */
export class ItemNotes {
  readonly #context: Context
  readonly #parts: NotesParts
  readonly #notifications: Notifications | undefined
  /** Notes in their order. */
  #last: Promise<void> = Promise.resolve()

  constructor(context: Context, parts: NotesParts) {
    const { environment, signal } = context
    this.#context = context
    this.#parts = parts
    if (!canNotify(environment)) return
    const notifications = new Notifications(environment['DBUS_SESSION_BUS_ADDRESS'] ?? '')
    this.#notifications = notifications
    signal.addEventListener('abort', () => void notifications.close())
  }

  report(event: QueueEvent, item: QueueItem): void {
    if (event === 'queue-started' || this.#notifications === undefined) return
    this.#last = this.#last.then(() => this.#show(item)).catch((thrown: unknown) => this.#failed(thrown))
  }

  async #show(item: QueueItem): Promise<void> {
    const { environment } = this.#context
    if (!(await readPreferences(environment)).notifications) return
    const [program, ...words] = this.#parts.program
    const note = itemNote(
      {
        texts: NOTE_TEXTS[localeOf(environment)],
        open: (place) => void openPlace(place, environment),
        copy: await clipboardOf(environment),
        show: () =>
          spawn(program, [...words, 'open'], { stdio: 'ignore', env: environment }).on('error', (thrown) =>
            this.#failed(thrown),
          ),
      },
      item,
      item.state === 'asking' ? this.#parts.queue.conflicts.undecided(item.id) : undefined,
    )
    if (note !== undefined) await this.#notifications?.show(note)
  }

  #failed(thrown: unknown): void {
    const reason = messageOf(thrown)
    this.#context.output.emit('notification-failed', { reason }, `No notification: ${reason}`)
  }
}
