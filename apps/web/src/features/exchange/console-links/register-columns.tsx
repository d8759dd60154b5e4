import type { AdminLink } from '@godwit/contract'
import { formatMinute, formatTime } from '../../../lib/formats.ts'
import { joinPath } from '../../../lib/paths.ts'
import { nameOfSpace } from '../../../lib/space-name.ts'
import type { Texts } from '../../../lib/texts.tsx'
import type { ListColumn } from '../../console-kit/list-page.tsx'
import { RegisterState, stateText } from './register-state.tsx'
import styles from './registers.module.css'
import type { LinkKind } from './registers-source.ts'

export function sharedNames({ names, count, folder }: AdminLink, texts: Texts): string {
  const [first = folder] = names
  return count <= 1 ? first : texts('links.names', { name: first, count: count - 1 })
}

/** Where it is: the space or group, and the folder. */
export function placeText({ spaceId, space, group, folder, names, count }: AdminLink, texts: Texts): string {
  const [only] = names
  const path = count === 1 && only !== undefined ? joinPath(folder, only) : folder
  return [group === '' ? nameOfSpace({ id: spaceId, name: space }, texts) : group, path]
    .filter((part) => part !== '')
    .join(' · ')
}

export function expiryText({ expiresAt }: Pick<AdminLink, 'expiresAt'>, texts: Texts): string {
  return expiresAt === 0 ? texts('links.expiry.never') : formatTime(expiresAt / 1000)
}

export function ownerText({ owner: { account, name } }: AdminLink): string {
  return name === '' || name === account ? account : `${name} (${account})`
}

/** One entry a column: a list, and nothing to split. */
export function registerColumns(kind: LinkKind, texts: Texts): ReadonlyArray<ListColumn<AdminLink>> {
  const uses = ({ downloads, downloadLimit, uploads }: AdminLink): string =>
    kind === 'invite'
      ? uploads.toLocaleString(texts.locale)
      : `${downloads.toLocaleString(texts.locale)}${downloadLimit > 0 ? ` / ${downloadLimit}` : ''}`
  return [
    {
      id: 'name',
      header: texts('links.column.name'),
      isSortable: true,
      narrow: 'title',
      width: 'minmax(130px, 1.4fr)',
      text: (link) => sharedNames(link, texts),
      cell: (link) => (
        <span className={styles['name']} translate="no">
          {sharedNames(link, texts)}
        </span>
      ),
    },
    {
      id: 'owner',
      header: texts('registers.owner'),
      width: 'minmax(100px, 1fr)',
      text: ownerText,
      cell: (link) => <span translate="no">{ownerText(link)}</span>,
    },
    {
      id: 'place',
      header: texts('links.place'),
      width: 'minmax(110px, 1.2fr)',
      text: (link) => placeText(link, texts),
      cell: (link) => <span translate="no">{placeText(link, texts)}</span>,
    },
    {
      id: 'status',
      header: texts('links.status'),
      isSortable: true,
      width: '108px',
      text: (link) => stateText(link, texts),
      cell: (link) => <RegisterState {...link} />,
    },
    {
      id: 'uses',
      header: texts(kind === 'share' ? 'links.column.downloads' : 'links.column.uploads'),
      isSortable: true,
      isNumeric: true,
      width: '92px',
      text: uses,
      cell: uses,
    },
    {
      id: 'created',
      header: texts('links.column.created'),
      isSortable: true,
      width: '140px',
      text: ({ createdAt }) => formatTime(createdAt / 1000),
      cell: ({ createdAt }) => formatMinute(createdAt / 1000),
    },
    {
      id: 'expires',
      header: texts('links.column.expires'),
      isSortable: true,
      width: '140px',
      text: (link) => expiryText(link, texts),
      cell: (link) => (link.expiresAt === 0 ? expiryText(link, texts) : formatMinute(link.expiresAt / 1000)),
    },
    ...extraColumns(texts),
  ]
}

/** Shown to those who choose them. */
function extraColumns(texts: Texts): ReadonlyArray<ListColumn<AdminLink>> {
  const onOff = (isOn: boolean): string => texts(isOn ? 'links.yes' : 'links.no')
  return [
    {
      id: 'password',
      header: texts('links.password'),
      isExtra: true,
      width: '90px',
      text: ({ hasPassword }) => onOff(hasPassword),
      cell: ({ hasPassword }) => onOff(hasPassword),
    },
    {
      id: 'audience',
      header: texts('links.audience'),
      isExtra: true,
      width: '170px',
      text: ({ audience }) => texts(`links.audience.${audience}`),
      cell: ({ audience }) => texts(`links.audience.${audience}`),
    },
    {
      id: 'recipients',
      header: texts('links.recipients'),
      isExtra: true,
      isNumeric: true,
      width: '92px',
      text: ({ recipientCount }) => recipientCount.toLocaleString(texts.locale),
      cell: ({ recipientCount }) => recipientCount.toLocaleString(texts.locale),
    },
    {
      id: 'code',
      header: texts('registers.code'),
      isExtra: true,
      width: '110px',
      text: ({ needEmail }) => onOff(needEmail),
      cell: ({ needEmail }) => onOff(needEmail),
    },
    {
      id: 'device',
      header: texts('links.bind'),
      isExtra: true,
      width: '150px',
      text: (link) => deviceText(link, texts),
      cell: (link) => deviceText(link, texts),
    },
    {
      id: 'address',
      header: texts('registers.address'),
      isExtra: true,
      width: 'minmax(160px, 1.4fr)',
      text: ({ address }) => address,
      cell: ({ address }) => <span translate="no">{address}</span>,
    },
  ]
}

export function deviceText({ bindSwitch, isBound }: AdminLink, texts: Texts): string {
  if (!bindSwitch) return texts('links.no')
  return texts(isBound ? 'registers.bound' : 'links.unused')
}
