import { licenceRoutes } from '@godwit/contract'
import {
  installLicence,
  removeLicence,
  type Licence,
  type LicenceDeps,
  type LicencesTable,
} from '../../foundation/licence/index.ts'
import { accountName, loggedEndpoint, type ChangedThing } from '../../foundation/operation-log/index.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { licenceStatus, presentLicence } from './licences.present.ts'

/** The licence in the console. */
export function licencesFeature(kernel: Kernel, { licence }: { readonly licence: Licence }): Feature {
  const { db, clock, config } = kernel
  const issuerKey = config['licence.issuerKey']
  const deps: LicenceDeps = { ...kernel, issuerKey }
  const log = { db, clock }
  const status = async () => licenceStatus({ db, now: clock.now(), issuerKey, terms: await licence.refresh() })
  const thing = (row: LicencesTable): Omit<ChangedThing, 'before' | 'after'> => {
    const view = presentLicence(row, { now: clock.now(), issuerKey })
    return { kind: 'licence', id: row.licence_id, name: view === undefined ? '' : `${view.edition}, ${view.holder}` }
  }
  return defineFeature({
    name: 'licences',
    endpoints: [
      endpoint(licenceRoutes.show, status),
      loggedEndpoint(log, licenceRoutes.install, async (ctx, { body }, record) => {
        await installLicence(deps, { ...body, by: accountName(ctx.principal) }, (tx, row) =>
          record(tx, { ...thing(row), after: { isActive: row.state === 'in-force' } }),
        )
        return status()
      }),
      loggedEndpoint(log, licenceRoutes.remove, async (_ctx, _input, record) => {
        await removeLicence(deps, (tx, row) => record(tx, thing(row)))
        return status()
      }),
    ],
  })
}
