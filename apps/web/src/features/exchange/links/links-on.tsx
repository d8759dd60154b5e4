import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { links } from '@godwit/contract/table/links'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Place } from '../../../lib/file-socket.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { LinkState } from './link-state.tsx'
import { linkKeys } from './links-query.ts'
import styles from './links-on.module.css'

export interface LinksOnProps {
  readonly place: Place
  readonly path: string
}

const SHOWN_MAX = 20

/** One's own links that share an entry, or that bring files into it. */
export function LinksOn({ place, path }: LinksOnProps) {
  const texts = useTexts()
  const { api } = useServices()
  const { data } = useQuery({
    queryKey: [...linkKeys, 'on', place, path],
    queryFn: async ({ signal }) => {
      const of = (shareUrlType: number) =>
        api.call(links.list, { query: { ...place, shareUrlType, path, pageSize: SHOWN_MAX } }, { signal, quiet: true })
      const [shares, invites] = await Promise.all([of(SHARE_URL_TYPE.download), of(SHARE_URL_TYPE.upload)])
      return [...shares.sharelinkinfo, ...invites.sharelinkinfo]
    },
    gcTime: 0,
  })
  if (data === undefined) return null
  return (
    <section className={styles['links']}>
      <h3>{texts('links.on')}</h3>
      {data.length === 0 && <p className={styles['none']}>{texts('links.on.none')}</p>}
      <ul>
        {data.map((record) => {
          const isInvite = record.shareUrlType === SHARE_URL_TYPE.upload
          return (
            <li key={record.linkId}>
              <Link to={isInvite ? '/link/invite' : '/link/share'}>
                {texts(isInvite ? 'links.on.invite' : 'links.on.share')}
              </Link>
              <LinkState record={record} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
