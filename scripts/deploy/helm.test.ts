import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_PORT } from '@godwit/contract'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { CONFIG_KEYS, environmentName } from '../../apps/server/src/kernel/config/index.ts'
import { ROOT } from '../steps.ts'
import { readContainerfile } from './containerfile.ts'
import { renderTemplate } from './helm-templates.ts'

const CHART = join(ROOT, 'deploy/helm/godwit')
const read = (file: string) => readFileSync(join(CHART, file), 'utf8')
const defaults = parse(read('values.yaml')) as Readonly<Record<string, object>>

const ONE = {
  ...defaults,
  publicUrl: 'https://files.example.org',
  image: { ...defaults['image'], repository: 'registry/godwit' },
}
const SHARED = {
  database: { existingSecret: 'database' },
  redis: { existingSecret: 'redis' },
  secretsKey: { existingSecret: 'key' },
}
const SEVERAL = {
  ...{ ...ONE, ...SHARED, replicas: 2, environment: { GODWIT_LOG_LEVEL: 'debug' } },
  autoscaling: { ...defaults['autoscaling'], enabled: true },
  administrator: { ...defaults['administrator'], existingSecret: 'administrator' },
  ingress: { ...defaults['ingress'], host: 'files.example.org', tlsSecret: 'certificate' },
  persistence: { ...defaults['persistence'], storageClass: 'fast' },
}

const isValid = new Ajv({ allErrors: true, strict: false }).compile(JSON.parse(read('values.schema.json')) as object)

describe('the values of the chart', () => {
  it('are taken with an address and an image, and not without', () => {
    for (const values of [ONE, SEVERAL, { ...ONE, ...SHARED }])
      expect([isValid(values), isValid.errors]).toEqual([true, null])
    expect(isValid(defaults)).toBe(false)
    expect(isValid({ ...ONE, publicUrl: 'https://example.org/files' })).toBe(false)
    expect(isValid({ ...ONE, replica: 2 })).toBe(false)
  })

  it('let several servers stand only where they share a database, Redis and the key', () => {
    const more = [{ replicas: 2 }, { autoscaling: { enabled: true } }]
    for (const each of more) {
      expect(isValid({ ...ONE, ...each })).toBe(false)
      expect(isValid({ ...ONE, ...SHARED, ...each })).toBe(true)
      for (const name of Object.keys(SHARED)) {
        expect(isValid({ ...ONE, ...SHARED, ...each, [name]: { existingSecret: '' } }), name).toBe(false)
      }
    }
  })
})

interface Container {
  readonly env: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly ports: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
  readonly volumeMounts: ReadonlyArray<{ readonly name: string; readonly mountPath: string }>
  readonly securityContext: object
  readonly readinessProbe: { readonly httpGet: { readonly path: string; readonly port: string } }
}

interface Made {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly replicas?: number
    readonly selector?: object
    readonly ports?: ReadonlyArray<{ readonly targetPort: string }>
    readonly volumeClaimTemplates?: ReadonlyArray<{ readonly metadata: { readonly name: string } }>
    readonly template?: { readonly spec: Pod }
  }
}

interface Pod {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number; readonly runAsNonRoot: boolean }
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
  readonly volumes: ReadonlyArray<{ readonly name: string }>
}

function made(values: object): readonly Made[] {
  const scope = { Values: values, Release: { Name: 'files' } }
  return readdirSync(join(CHART, 'templates')).flatMap((file) =>
    parseAllDocuments(renderTemplate(file, scope)).flatMap((document) => {
      expect(document.errors, file).toEqual([])
      const each = document.toJS() as Made | null
      return each === null ? [] : [each]
    }),
  )
}

describe.each([
  ['one server', ONE, ['Ingress', 'PodDisruptionBudget', 'Service', 'Service', 'StatefulSet']],
  [
    'several servers',
    SEVERAL,
    ['HorizontalPodAutoscaler', 'Ingress', 'PodDisruptionBudget', 'Service', 'Service', 'StatefulSet'],
  ],
])('the chart with %s', (_name, values, kinds) => {
  const all = made(values)
  const spec = all.find(({ kind }) => kind === 'StatefulSet')?.spec
  const pod = spec?.template?.spec
  const containers = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])]

  it('makes what Kubernetes needs, each with a name', () => {
    expect(all.map(({ kind }) => kind).toSorted()).toEqual(kinds)
    for (const { metadata } of all) expect(metadata.name).toMatch(/^files(-transfer)?$/)
    expect(spec?.replicas).toBe(values === ONE ? 1 : undefined)
  })

  it('runs as the user of the image, without rights, on a read-only system', () => {
    const [uid, gid] = readContainerfile().user.split(':').map(Number)
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: uid, runAsGroup: gid })
    for (const { securityContext } of containers) {
      const capabilities = { drop: ['ALL'] }
      expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities })
    }
  })

  it('mounts volumes that are there, and sets variables that the configuration knows', () => {
    const volumes = [...(pod?.volumes ?? []), ...(spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata)]
    const names = volumes.map(({ name }) => name)
    for (const { volumeMounts } of containers) for (const { name } of volumeMounts) expect(names).toContain(name)
    const known = Object.keys(CONFIG_KEYS).map(environmentName)
    const server = pod?.containers[0]
    for (const { name, value } of server?.env ?? []) {
      expect(known).toContain(name.replace(/_FILE$/, ''))
      if (!name.endsWith('_FILE')) continue
      expect(server?.volumeMounts.some(({ mountPath }) => value.startsWith(`${mountPath}/`))).toBe(true)
    }
  })

  it('leads to the ports of the product, and asks the pages of its health', () => {
    const server = pod?.containers[0]
    expect(server?.ports.map(({ containerPort }) => containerPort)).toEqual([
      DEFAULT_PORT,
      DEFAULT_PORT + 1,
      DEFAULT_PORT + 1,
    ])
    expect(server?.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    const targets = all.flatMap(({ kind, spec: { ports = [] } }) => (kind === 'Service' ? ports : []))
    expect(targets.map(({ targetPort }) => targetPort)).toEqual(server?.ports.map(({ name }) => name))
  })
})
