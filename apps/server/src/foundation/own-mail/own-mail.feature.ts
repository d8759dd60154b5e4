import { defineFeature, type Feature } from '../../kernel/feature.ts'
import { ownMailJobs, type MailSystem } from '../mail/index.ts'

/** The mails that go by senders of people's own. */
export function ownMailFeature({ deps }: Pick<MailSystem, 'deps'>): Feature {
  return defineFeature({
    name: 'own-mail',
    jobs: ownMailJobs(deps),
    // A mail server that takes its time holds up nobody's sign-in code.
    jobLane: 'own-mail',
  })
}
