import { certificateRoutes } from '@godwit/contract'
import type { Tx } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { accountName, loggedEndpoint, type RecordChange } from '../operation-log/index.ts'
import { certificatePut, presentCertificate } from './certificates.present.ts'
import type { CertificatesTable } from './certificates.schema.ts'
import {
  putCertificate,
  putSelfSigned,
  removeCertificate,
  type CertificatesDeps,
  type WatchedCertificate,
} from './certificates.service.ts'
import { certificatesStore } from './certificates.store.ts'

export interface CertificateEndpointsDeps extends CertificatesDeps {
  readonly inForce: WatchedCertificate
  readonly siteHost: string
  /** Null where this server does not serve HTTPS. */
  readonly httpsPort: () => number | null
}

export function certificateEndpoints(deps: CertificateEndpointsDeps): Endpoint[] {
  const { db, clock, siteHost } = deps
  const log = { db, clock }
  const view = (row: Omit<CertificatesTable, 'sealed_key'>) => presentCertificate(row, { now: clock.now(), siteHost })
  const note = (record: RecordChange) => (tx: Tx, row: CertificatesTable) => record(tx, certificatePut(row))
  /** The caller's own node has it at once, the others within a second. */
  const added = async (row: CertificatesTable) => {
    await deps.inForce.refresh()
    return { certificate: view(row) }
  }
  return [
    endpoint(certificateRoutes.list, async () => {
      const rows = await certificatesStore.all(db)
      const current = rows.find((row) => row.in_force === 1)
      const history = rows.filter((row) => row.id !== current?.id).map((row) => view({ ...row, in_force: 0 }))
      const shown = current === undefined ? null : view(current)
      return { current: shown, history, siteHost, httpsPort: deps.httpsPort() }
    }),
    loggedEndpoint(log, certificateRoutes.upload, async (ctx, { body }, record) =>
      added(await putCertificate(deps, { ...body, source: 'uploaded', by: accountName(ctx.principal) }, note(record))),
    ),
    loggedEndpoint(log, certificateRoutes.selfSigned, async (ctx, { body }, record) =>
      added(await putSelfSigned(deps, { ...body, by: accountName(ctx.principal) }, note(record))),
    ),
    loggedEndpoint(log, certificateRoutes.remove, async (_ctx, _input, record) => {
      await removeCertificate(deps, (tx, row) => {
        const { names } = view(row)
        return record(tx, { kind: 'certificate', id: row.id, name: names.join(', '), before: { names } })
      })
      await deps.inForce.refresh()
      return {}
    }),
  ]
}
