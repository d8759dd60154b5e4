import { LINK_STATUS, SHARE_SOURCE_TYPE, SHARE_URL_TYPE } from '@godwit/contract'
import { hashOfPath } from '../../../content/file-events/index.ts'
import type { Link, LinkTargetRow } from '../links.schema.ts'

/** What a link shares, with values that no test is about. */
export function someTarget(change: Partial<LinkTargetRow> & Pick<LinkTargetRow, 'path'>): LinkTargetRow {
  return {
    ...{ link_id: 'link', at: 0, owner_id: 'u', space_id: 1, group_id: 0, etag: '', alias: '' },
    ...{ is_lost: 0, recycle_id: '', recycled_path: '', path_hash: hashOfPath(change.path) },
    ...change,
  }
}

/** A share link to one file, with values that no test is about. */
export function someLink(change: Partial<Link> & Pick<Link, 'id' | 'owner_id'>): Link {
  const { id, owner_id: ownerId } = change
  return {
    ...{ url_type: SHARE_URL_TYPE.download, space_id: 1, group_id: 0, src_type: SHARE_SOURCE_TYPE.file },
    ...{ label: 'a.pdf', search_text: 'a.pdf', password_sealed: '', not_before: 0, expires_at: 0, lost_at: 0 },
    ...{ status: LINK_STATUS.normal, notify: 1, allow_download: 1, bind_switch: 0, bind_device: '' },
    ...{
      download_limit: 0,
      download_count: 0,
      upload_count: 0,
      recipients: '[]',
      description: '',
      guest_form: null,
      request: null,
    },
    ...{ need_email: 0, audience: 'anyone' as const, sealed_by: '', mail_language: 0, mail_text: null },
    ...{ reported_until: 0, reported_at: 0, reminded_of: 0, chased_at: 0, created_at: 0 },
    targets: [someTarget({ link_id: id, owner_id: ownerId, path: '/a.pdf' })],
    ...change,
  }
}
