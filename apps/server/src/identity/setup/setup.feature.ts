import type { Config } from '../../kernel/config/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AuthDeps } from '../auth/index.ts'
import type { UsersDeps } from '../users/index.ts'
import { setupEndpoints } from './setup.routes.ts'
import { createFirstAdministrator, isSetupNeeded, offerSetup, type SetupDeps } from './setup.service.ts'

export interface Setup {
  /** One-time token of the first set-up, once started; undefined when an administrator exists. */
  token(): string | undefined
}

export interface SetupFeatureDeps {
  readonly users: UsersDeps
  readonly auth: AuthDeps
}

export function setupFeature(kernel: Kernel, { users, auth }: SetupFeatureDeps): FeatureWith<Setup> {
  const { config, db, random } = kernel
  const deps: SetupDeps = { db, random, users, auth, state: { tokenHash: undefined } }
  let token: string | undefined
  return defineFeature<Setup>({
    name: 'setup',
    api: { token: () => token },
    endpoints: setupEndpoints(deps),
    async start() {
      await createConfiguredAdministrator(config, users)
      token = await offerSetup(deps)
    },
  })
}

async function createConfiguredAdministrator(config: Config, users: UsersDeps): Promise<void> {
  const { 'admin.account': account, 'admin.email': email, 'admin.password': password } = config
  if ((account === '' && password === '') || !(await isSetupNeeded(users.db))) return
  // One without the other is a slip; waiting for a person at the set-up page would hide it.
  if (account === '') throw new AppError('VALUE_REQUIRED', { field: 'admin.account' })
  if (password === '') throw new AppError('VALUE_REQUIRED', { field: 'admin.password' })
  await createFirstAdministrator(users, { account, email, password })
}
