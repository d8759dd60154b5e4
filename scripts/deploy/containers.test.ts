import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_PORT } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CONFIG_KEYS, environmentName } from '../../apps/server/src/kernel/config/index.ts'
import { ROOT } from '../steps.ts'
import { readContainerfile } from './containerfile.ts'

const KNOWN = Object.entries(CONFIG_KEYS).flatMap(([name, { secret }]) => {
  const variable = environmentName(name)
  return secret !== undefined ? [variable, `${variable}_FILE`] : [variable]
})
/** The portal and the transfer port beside it. */
const PORTS = [`${DEFAULT_PORT}/tcp`, `${DEFAULT_PORT + 1}/tcp`, `${DEFAULT_PORT + 1}/udp`]

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: object
  readonly secrets: object
}

function readCompose(name: string): Compose {
  return parse(readFileSync(join(ROOT, 'deploy/compose', name), 'utf8')) as Compose
}

describe('the image of the server', () => {
  const image = readContainerfile()

  it('runs as nobody in particular, with the options of the command itself', () => {
    expect(image.user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
    const [shebang = ''] = readFileSync(join(ROOT, 'apps/server/bin/godwit.js'), 'utf8').split('\n')
    const [, ...options] = shebang.slice(shebang.indexOf(' node ') + 1).split(' ')
    const [node, ...words] = image.entrypoint
    expect([node, words.slice(0, -1)]).toEqual(['node', options])
    const program = words.at(-1) ?? ''
    expect(existsSync(join(ROOT, program.replace('/opt/godwit/', '')))).toBe(true)
    expect(image.command).toEqual(['serve'])
  })

  it('sets variables that the configuration knows, none of them a secret, and opens the ports of the product', () => {
    for (const name of Object.keys(image.environment)) expect(KNOWN).toContain(name)
    expect(image.lines.join('\n')).not.toMatch(/PASSWORD|SECRET|_FILE=/)
    const exposed = image.lines.find((line) => line.startsWith('EXPOSE '))?.split(' ')
    expect(exposed?.slice(1)).toEqual(PORTS)
    expect(image.environment['GODWIT_PORT']).toBe(String(DEFAULT_PORT))
    expect(image.lines).toContain(`VOLUME ${image.environment['GODWIT_DATA']}`)
  })

  it('takes in nothing that an installation keeps, and no tests', () => {
    const left = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const kept = ['.git', 'data', '**/node_modules', '**/dist']
    expect(left).toEqual(expect.arrayContaining([...kept, '**/*.test.ts', '**/*.test.tsx', '**/testing']))
  })
})

describe.each(['compose.yaml', 'cluster.yaml'])('the services of %s', (name) => {
  const { services, volumes, secrets } = readCompose(name)

  it('refer only to volumes, secrets and services that are there', () => {
    const all = { ...readCompose('compose.yaml').secrets, ...secrets }
    for (const service of Object.values(services)) {
      for (const secret of service.secrets ?? []) expect(Object.keys(all)).toContain(secret)
      for (const volume of service.volumes ?? []) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {}))
        if (condition === 'service_healthy') expect(services[other]?.healthcheck).toBeDefined()
    }
  })

  it('set variables that the configuration knows, and secrets by files', () => {
    for (const [variable, value] of Object.entries(services['godwit']?.environment ?? {})) {
      expect(KNOWN).toContain(variable)
      if (variable.endsWith('_FILE')) expect(value).toMatch(/^\/run\/secrets\//)
      else expect(variable).not.toMatch(/PASSWORD|DATABASE_URL/)
    }
  })
})

it('one box is closed but for its ports, and has longer to stop than the server takes', () => {
  const { godwit } = readCompose('compose.yaml').services
  expect(godwit).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '30s' })
  expect(godwit?.ports?.map((port) => (port.includes('/') ? port : `${port}/tcp`))).toEqual(
    PORTS.map((port) => `${port.split('/')[0]}:${port}`),
  )
  const { context = '', dockerfile = '' } = godwit?.build ?? {}
  expect(existsSync(join(ROOT, 'deploy/compose', context, dockerfile))).toBe(true)
})
