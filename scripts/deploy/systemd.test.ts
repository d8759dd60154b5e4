import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFIG_KEYS, environmentName } from '../../apps/server/src/kernel/config/index.ts'
import { EXIT } from '../../apps/server/src/cli/exit-codes.ts'
import { ROOT } from '../steps.ts'

/** Where the unit expects the program. */
const INSTALLED = '/opt/godwit/'

const unit = readFileSync(join(ROOT, 'deploy/systemd/godwit.service'), 'utf8')

function valuesOf(name: string): string[] {
  return unit
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1))
}

describe('the systemd unit', () => {
  it('starts programs that are there, with the options of the command itself', () => {
    const commands = [...valuesOf('ExecStartPre'), ...valuesOf('ExecStart')].map((line) => line.split(' '))
    expect(commands).toHaveLength(2)
    for (const command of commands)
      for (const file of command.filter((word) => word.startsWith('/'))) {
        expect(file.startsWith(INSTALLED), file).toBe(true)
        expect(existsSync(join(ROOT, file.slice(INSTALLED.length))), file).toBe(true)
      }
    const [shebang = ''] = readFileSync(join(ROOT, 'apps/server/bin/godwit.js'), 'utf8').split('\n')
    const options = shebang.split(' ').filter((word) => word.startsWith('--'))
    expect(commands[1]?.filter((word) => word.startsWith('--'))).toEqual(options)
  })

  it('sets variables that the configuration knows', () => {
    const known = Object.keys(CONFIG_KEYS).map(environmentName)
    const names = valuesOf('Environment').map((line) => line.split('=')[0])
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(known).toContain(name)
  })

  it('gives the server longer than it takes itself, and does not repeat a wrong configuration', () => {
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(20)
    expect(valuesOf('RestartPreventExitStatus')).toEqual([String(EXIT.config)])
  })

  it('waits for the word of the server, however long a new version brings the database up to date', () => {
    expect(valuesOf('Type')).toEqual(['notify'])
    expect(valuesOf('NotifyAccess')).toEqual(['main'])
    expect(valuesOf('TimeoutStartSec')).toEqual(['infinity'])
  })
})
