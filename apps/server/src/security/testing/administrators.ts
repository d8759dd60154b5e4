import type { RoleRight } from '@godwit/contract'
import type { Site } from './sites.ts'

/** Makes an account an administrator with a role of its own that has exactly these rights. */
export async function administer(site: Site, account: string, rights: readonly RoleRight[]): Promise<void> {
  await site.withDatabase(async ({ db }) => {
    const at = { revision: 1, created_at: 1, updated_at: 1 }
    const name = `role of ${account}`
    const scopes = { audit_scope: 'own', folder_scope: 'own' }
    const role = { name, name_key: name, rights: JSON.stringify(rights), ...scopes, ...at }
    const { insertId } = await db.insertInto('roles').values(role).executeTakeFirstOrThrow()
    const user = await db.selectFrom('users').select('id').where('account', '=', account).executeTakeFirstOrThrow()
    const row = { user_id: user.id, role_id: Number(insertId), created_by: 'admin', ...at }
    await db.insertInto('administrators').values(row).execute()
    await db.updateTable('users').set({ is_admin: 1 }).where('id', '=', user.id).execute()
  })
}
