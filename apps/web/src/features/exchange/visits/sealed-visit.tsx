import { visits } from '@godwit/contract/table/visits'
import { useCallback, useMemo } from 'react'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import type { Sources } from '../../content/uploads/index.ts'
import {
  KeyFaultPanel,
  openingKey,
  SealedFiles,
  type SealedSource,
  sealingFor,
  sealSources,
  useLinkKey,
} from '../sealed/index.ts'
import { Invite } from './invite.tsx'
import { ShareHeading } from './share-heading.tsx'
import type { SharedFilesProps } from './shared-files.tsx'
import styles from './visits.module.css'

/** The files of an encrypted share link: this browser decrypts them with the key in the address. */
export function SealedShare({ visit, info }: SharedFilesProps) {
  const { key, fault } = openingKey(useLinkKey(info.sealedBy))
  const source = useMemo((): SealedSource => {
    const { api, linkId } = visit
    return {
      queryKey: ['visit', linkId],
      list: (cursor, signal) =>
        api.call(visits.sealedFiles, { body: cursor === undefined ? {} : { cursor } }, { signal }),
      address: async (stored) => (await api.call(visits.ticket, { body: { paths: [`/${stored}`] } })).url,
    }
  }, [visit])
  if (!useTextBundle('sealed')) return <Waiting />
  return (
    <>
      <ShareHeading info={info} isBusy={false} onDownload="by-file" />
      <section className={styles['card']}>
        {key === undefined ? <KeyFaultPanel fault={fault} /> : <SealedFiles source={source} link={key} />}
      </section>
    </>
  )
}

/** An encrypted invite link: what is brought leaves this browser encrypted for the owner alone. */
export function SealedInvite({ visit, info }: SharedFilesProps) {
  const texts = useTexts()
  const { key, fault } = useLinkKey(info.sealedBy)
  const { linkId } = visit
  const seal = useCallback(
    async (sources: Sources) => (key === undefined ? sources : sealSources(sources, sealingFor(linkId, key))),
    [linkId, key],
  )
  if (!useTextBundle('sealed')) return <Waiting />
  if (key === undefined)
    return (
      <section className={styles['card']}>
        <KeyFaultPanel fault={fault} />
      </section>
    )
  return (
    <>
      <Invite visit={visit} info={info} seal={seal} />
      <Notice kind="info">{texts('sealed.invite-notice', { account: info.shareAccount })}</Notice>
    </>
  )
}
