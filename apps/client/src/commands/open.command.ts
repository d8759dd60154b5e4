import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverOfAddress } from '@godwit/contract'
import { type PageAddress, pageFile, thisProgram } from '../daemon/background.ts'
import { runningInstance } from '../daemon/single-instance.ts'
import { Autostart } from '../desktop/autostart.ts'
import { openPlace } from '../desktop/open-place.ts'
import { clientPlaces } from '../profiles/places.ts'
import { writePreferences } from '../profiles/preferences.ts'
import { readIfThere, writeWhole } from '../profiles/profile.ts'
import { type Context, switchIn, UsageError } from './context.ts'
import { startInBackground } from './run.command.ts'

/**
 * godwit-client open [ADDRESS]: shows the page of the client, and starts the background when it does not run. Any page may call a
 * `godwit://` address: where nobody is signed in at its server, the page asks, and the server hears nothing before the answer.
 */
export async function open(context: Context): Promise<number> {
  const { words, environment, output, profiles } = context
  const [address, ...more] = words
  if (more.length > 0) throw new UsageError('open takes one address at most')
  const server = address === undefined ? '' : serverOfAddress(address)
  // It may come from anywhere, so that it is not repeated.
  if (server === undefined) throw new UsageError('not an address of this program')
  const isKnown = server === '' || (await profiles.list()).some((profile) => profile.server === server)
  const asked = isKnown ? '' : server
  const { state: folder } = clientPlaces(environment)
  const url = await linkOf(context, asked)
  const file = join(folder, 'open.html')
  await writeWhole(folder, file, redirectTo(url))
  const isShown = await openPlace(file, environment)
  output.emit('page', { url, isShown, asked }, isShown ? 'Opened in your browser.' : `Open ${url} within a minute.`)
  return 0
}

/** How long a client that starts or ends may take. */
const START_MS = 10_000
/** One that ends at once ends again. */
const STARTS_MAX = 2
const LOOK_MS = 200

/** godwit-client autostart on | off */
export async function autostart({ words, environment, output }: Context): Promise<number> {
  const isOn = switchIn(words, 'autostart')
  await new Autostart(environment, thisProgram()).set(isOn)
  output.emit('autostart', { isOn }, isOn ? 'Starts with the session.' : 'Starts by hand.')
  return 0
}

/** godwit-client notifications on | off */
export async function notifications({ words, environment, output }: Context): Promise<number> {
  const isOn = switchIn(words, 'notifications')
  await writePreferences(environment, { notifications: isOn })
  output.emit('notifications', { isOn }, isOn ? 'Notifications of transfers are on.' : 'Notifications are off.')
  return 0
}

/**
 * Starts the background when it does not run. Two who open it at once start it once, one that is just ending is waited for, and
 * the page of one that has just started is there a moment later.
 */
async function linkOf(context: Context, server: string): Promise<string> {
  const { state: folder } = clientPlaces(context.environment)
  const until = AbortSignal.timeout(START_MS)
  for (let starts = 0; ;) {
    try {
      if ((await runningInstance(folder)) === undefined) {
        starts += 1
        await startInBackground(context)
      }
      return await newLink(folder, server)
    } catch (thrown) {
      if (until.aborted || starts === STARTS_MAX) throw thrown
    }
    await sleep(LOOK_MS)
  }
}

/** @returns the address of the page with a token that opens it once */
async function newLink(folder: string, server: string): Promise<string> {
  const text = await readIfThere(pageFile(folder))
  if (text === undefined) throw new Error('the client runs without a page: see its log')
  const { origin, key } = JSON.parse(text) as PageAddress
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ server })
  const response = await fetch(new URL('/api/link', origin), { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`the background answers ${response.status}: stop it and start it again`)
  const { data } = (await response.json()) as { readonly data: { readonly link: string } }
  return `${origin}/#${data.link}`
}

/** Every user of the computer can read the words of a command, so the browser is given a file that only its owner can read. */
function redirectTo(url: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Godwit</title><meta http-equiv="refresh" content="0;url=${url}">\n`
}
