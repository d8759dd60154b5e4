import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@godwit/base'
import { openProfiles } from '../../../apps/client/src/profiles/profile.ts'
import type { Release } from '../../../apps/client/src/release.ts'
import { checkRelease, prepareVersion, type UpgradeStep } from '../../../apps/client/src/upgrade/prepare.ts'
import { releaseSource } from '../../../apps/client/src/upgrade/release-source.ts'
import { currentVersion } from '../../../apps/client/src/upgrade/tree.ts'
import { tryVersion } from '../../../apps/client/src/upgrade/trial.ts'
import { updatesFolder } from '../../../apps/client/src/upgrade/upgrader.ts'

/** Upgrades an unpacked client as its daemon does, and is killed, as by a lost power supply, right after the step it is given. */
const [root = '', last = ''] = process.argv.slice(2)
const environment = process.env
const tree = { root }
const old = await currentVersion(tree)
const own = JSON.parse(readFileSync(join(root, 'versions', old, 'app/release.json'), 'utf8')) as Release
const profile = await openProfiles(environment, undefined).read({})
if (profile === undefined) throw new Error('nobody is signed in')
const { signal } = new AbortController()
const reached = (step: UpgradeStep): void => {
  if (step === last) process.kill(process.pid, 'SIGKILL')
}
const source = releaseSource(profile, signal)
const deps = { own, keys: own.keys, source, folder: updatesFolder(environment), signal, reached }
const version = await prepareVersion(deps, tree, await checkRelease(deps))
const log = join(root, '../daemon.log')
await tryVersion({ tree, old, words: ['run'], log, environment, clock: systemClock, reached }, version)
