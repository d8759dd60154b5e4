import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalClientAction, LocalClientView } from '@godwit/contract'
import type { Context } from '../commands/context.ts'
import { openTray } from '../desktop/tray.ts'
import { TRAY_TEXTS } from '../desktop/tray-texts.ts'
import { localeOf } from '../doctor/texts.ts'
import { messageOf } from '../transfers/reason.ts'

const LOOK_MS = 1_000

export interface TrayParts {
  readonly view: () => Promise<LocalClientView>
  readonly act: (action: LocalClientAction) => Promise<void>
  /** Starts this program. */
  readonly program: readonly [string, ...string[]]
}

/** Shows the state of the client in the panel of the desktop until it is stopped, or the session ends. */
export async function keepTray({ environment, signal, output }: Context, parts: TrayParts): Promise<void> {
  const address = environment['DBUS_SESSION_BUS_ADDRESS']
  if (!address || process.platform !== 'linux') return
  const failed = (thrown: unknown): void => {
    const reason = messageOf(thrown)
    output.emit('tray-failed', { reason }, `No tray: ${reason}`)
  }
  const act = (action: LocalClientAction) => () => void parts.act(action).catch(failed)
  const [program, ...words] = parts.program
  try {
    const tray = await openTray({
      ...{ address, texts: TRAY_TEXTS[localeOf(environment)] },
      open: () => spawn(program, [...words, 'open'], { stdio: 'ignore', env: environment }).on('error', failed),
      pauseAll: act({ action: 'pause-all', pause: 'always' }),
      resumeAll: act({ action: 'resume-all' }),
      // As if the terminal had said it.
      quit: () => process.kill(process.pid, 'SIGTERM'),
    })
    signal.addEventListener('abort', () => tray.close())
    while (!signal.aborted) {
      const { overall, pausedUntil } = await parts.view()
      tray.show(overall, pausedUntil > 0)
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  } catch (thrown) {
    failed(thrown)
  }
}
