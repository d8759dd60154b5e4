import type { LinkRecord } from '@godwit/contract'
import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { links } from '@godwit/contract/table/links'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { joinPath } from '../../../lib/paths.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { useFilesServices } from '../../content/files/index.ts'
import {
  fragmentOf,
  KeyFaultPanel,
  openingKey,
  publicOf,
  SealedFiles,
  type SealedSource,
  useLinkKey,
} from '../sealed/index.ts'
import { fullAddress } from './link-address.ts'
import { linkKeys } from './links-query.ts'
import styles from './links.module.css'
import { SealedUploads } from './sealed-uploads.tsx'

/** `/link/encrypted?link=ID#s=KEY`: an encrypted link as its owner has it. */
export function SealedLinkPage() {
  const texts = useTexts()
  const { api } = useServices()
  const { link = '' }: { readonly link?: string } = useSearch({ strict: false })
  const record = useQuery({
    queryKey: [...linkKeys, 'sealed', link],
    queryFn: ({ signal }) => api.call(links.detail, { query: { url: link } }, { signal }),
    enabled: link !== '',
  })
  const hasTexts = [useTextBundle('links'), useTextBundle('sealed')].every(Boolean)
  // Somebody cut the address off: the list has all of them.
  if (link === '') return <Navigate to="/link/share" replace />
  if (!hasTexts) return <Waiting />
  return (
    <section className={styles['page']} aria-labelledby="sealed-title">
      <h1 className={styles['heading']} id="sealed-title">
        {texts('sealed.page')}
      </h1>
      <div className={styles['card']} data-testid="sealed-link">
        <FailureNotice failure={record.error} />
        {record.data !== undefined && <SealedLink record={record.data} />}
      </div>
    </section>
  )
}

function SealedLink({ record }: { readonly record: LinkRecord }) {
  const texts = useTexts()
  const { key, fault } = openingKey(useLinkKey(record.sealedBy))
  const source = useSource(record)
  const client = useQueryClient()
  const { linkId } = record
  const refresh = useCallback(
    () => void client.invalidateQueries({ queryKey: [...linkKeys, 'sealed', linkId] }),
    [client, linkId],
  )
  if (key === undefined) return <KeyFaultPanel fault={fault} />
  const isInvite = record.shareUrlType === SHARE_URL_TYPE.upload
  const address = fullAddress(record.shareLink)
  return (
    <div className={styles['sealed']}>
      <Notice kind="warning">{texts('sealed.lost')}</Notice>
      <Address
        label={texts(isInvite ? 'sealed.address.invite' : 'sealed.address.share')}
        text={address + fragmentOf(isInvite ? publicOf(key) : key)}
        name="guest-address"
      />
      {record.sharePassword !== '' && (
        <Address label={texts('links.password')} text={record.sharePassword} name="link-password" />
      )}
      {isInvite && <Address label={texts('sealed.address.own')} text={location.href} name="own-address" />}
      {!isInvite && <SealedUploads record={record} link={key} onStored={refresh} />}
      <SealedFiles source={source} link={key} />
    </div>
  )
}

function useSource({ linkId, spaceId, groupId, shareServerPath, filename }: LinkRecord): SealedSource {
  const { api } = useServices()
  const { operate } = useFilesServices()
  const folder = joinPath(shareServerPath, filename[0] ?? '')
  return useMemo(
    () => ({
      queryKey: [...linkKeys, 'sealed', linkId],
      list: (cursor, signal) =>
        api.call(links.sealedFiles, { body: { url: linkId, ...(cursor === undefined ? {} : { cursor }) } }, { signal }),
      address: async (stored) =>
        (await operate('download', { spaceId, groupId, paths: [joinPath(folder, stored)] })).url,
    }),
    [api, operate, linkId, spaceId, groupId, folder],
  )
}

interface AddressProps {
  readonly label: string
  readonly text: string
  readonly name: string
}

function Address({ label, text, name }: AddressProps) {
  const texts = useTexts()
  const copy = useCopy()
  return (
    <TextField
      label={label}
      value={text}
      readOnly
      translate="no"
      spellCheck={false}
      onFocus={(event) => event.target.select()}
      data-testid={name}
      end={
        <IconButton
          label={texts('common.copy')}
          icon={<Copy size={18} aria-hidden="true" />}
          onClick={() => void copy(text, { message: texts('links.copied') })}
        />
      }
    />
  )
}
