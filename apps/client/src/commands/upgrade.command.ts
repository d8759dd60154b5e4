import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@godwit/base'
import { runningInstance } from '../daemon/single-instance.ts'
import { clientPlaces } from '../profiles/places.ts'
import { RELEASE, type Release } from '../release.ts'
import { checkRelease, fetchRelease, prepareVersion, type PrepareDeps } from '../upgrade/prepare.ts'
import { readRecord, trustKey } from '../upgrade/record.ts'
import { releaseSource } from '../upgrade/release-source.ts'
import { stepReporter } from '../upgrade/step-texts.ts'
import { ownTree } from '../upgrade/tree.ts'
import { tryVersion } from '../upgrade/trial.ts'
import { updatesFolder } from '../upgrade/upgrader.ts'
import { type Context, signedIn, UsageError } from './context.ts'
import { daemonLog } from './run.command.ts'
import { EXIT } from './transfer-output.ts'

const END_MS = 200

/** godwit-client upgrade [trust KEY]: to what the makers of this program signed, from the server of the sign-in. */
export async function upgrade(context: Context): Promise<number> {
  const { words, environment, output } = context
  const [word, key, ...more] = words
  if (word !== undefined) {
    if (word !== 'trust' || key === undefined || more.length > 0)
      throw new UsageError('upgrade takes trust KEY or nothing')
    await trustKey(environment, key)
    output.emit('trusted', { key }, 'Whoever holds the private half of this key may replace this program from now on.')
    return EXIT.done
  }
  if (RELEASE === undefined) throw new Error('this client runs from its sources: renew those')
  const { profile } = await signedIn(context)
  const { signal } = context
  const { trusted } = await readRecord(environment)
  const reached = stepReporter(output)
  const deps: PrepareDeps = {
    ...{ own: RELEASE, keys: [...RELEASE.keys, ...trusted], source: releaseSource(profile, signal) },
    ...{ folder: updatesFolder(environment), signal, reached },
  }
  const wanted = await checkRelease(deps)
  const tree = ownTree()
  if (tree === undefined) {
    const file = await fetchRelease(deps, wanted)
    const command = installCommand(RELEASE.form, file)
    output.emit('package', { file, command }, 'The package is what its makers signed. Install it with:', command)
    return EXIT.done
  }
  const version = await prepareVersion(deps, tree, wanted)
  await endDaemon(context)
  const { version: old } = RELEASE
  const trial = { tree, old, words: ['run'], log: daemonLog(environment), environment, clock: systemClock, reached }
  return (await tryVersion(trial, version)) ? EXIT.done : EXIT.failed
}

/** What a person runs where this program has no right, or no way, to replace itself. */
function installCommand(form: Release['form'], file: string): string {
  switch (form) {
    case 'deb':
      return `sudo apt install ${quoted(file)}`
    case 'rpm':
      return `sudo rpm --upgrade ${quoted(file)}`
    case 'dmg':
      return `open ${quoted(file)}`
    case 'exe':
    case 'tgz':
      return `"${file}"`
  }
}

function quoted(file: string): string {
  return `'${file.replaceAll("'", String.raw`'\''`)}'`
}

/** Lets the background end its transfers where they stand. */
async function endDaemon({ environment, signal }: Context): Promise<void> {
  const { state: folder } = clientPlaces(environment)
  for (let signalled: number | undefined; ;) {
    const pid = await runningInstance(folder)
    if (pid === undefined) return
    if (signalled !== pid) process.kill(pid, 'SIGTERM')
    signalled = pid
    await sleep(END_MS, undefined, { signal })
  }
}
