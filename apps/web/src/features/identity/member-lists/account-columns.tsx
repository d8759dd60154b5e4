import type { Texts } from '../../../lib/texts.tsx'
import type { ListColumn } from '../../console-kit/list-page.tsx'

export interface AccountColumns {
  /** The title of a row on a phone. */
  readonly account: ListColumn<{ readonly account: string }>
  readonly name: ListColumn<{ readonly name: string }>
  /** A dash where there is none. */
  readonly email: ListColumn<{ readonly email: string }>
}

/** The columns that say whose row it is. */
export function accountColumns(texts: Texts): AccountColumns {
  return {
    account: {
      id: 'account',
      header: texts('users.account'),
      narrow: 'title',
      width: 'minmax(130px, 1fr)',
      text: ({ account }) => account,
      cell: ({ account }) => <span translate="no">{account}</span>,
    },
    name: {
      id: 'name',
      header: texts('users.name'),
      width: 'minmax(110px, 1fr)',
      text: ({ name }) => name,
      cell: ({ name }) => <span translate="no">{name}</span>,
    },
    email: {
      id: 'email',
      header: texts('users.email'),
      width: 'minmax(168px, 1.3fr)',
      text: ({ email }) => email,
      cell: ({ email }) => <span translate="no">{email === '' ? '-' : email}</span>,
    },
  }
}
