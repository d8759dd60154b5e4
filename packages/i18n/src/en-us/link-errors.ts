import type { ErrorName } from '@godwit/contract'

/** Errors of links; a part of `errors.ts`. */
export const linkErrors = {
  LINK_EXPIRED: 'This link has expired. Ask its sender for a new one.',
  LINK_NOT_FOUND: 'This link does not exist. Check the address.',
  LINK_DISABLED: 'This link has been disabled by its owner. Ask them for a new one.',
  LINK_PASSWORD_REQUIRED: 'Enter the password of this link.',
  LINK_PASSWORD_WRONG: 'The password is wrong. Enter it again.',
  LINK_DEVICE_MISMATCH: 'This link belongs to another device. Ask its owner to unbind it.',
  LINK_DOWNLOAD_NOT_ALLOWED: 'The owner of this link does not allow downloads. Ask them if you need the files.',
  LINK_DUPLICATE: 'Such a link already exists. Reload the list.',
  LINK_PASSWORD_INVALID: 'The link password must have 1–6 characters without spaces.',
  LINK_EXPIRY_PAST: 'The expiry date lies in the past. Choose a later one.',
  SHARE_TOO_MANY_FILES: 'Too many files in one link. Select fewer, or share their folder.',
  SHARE_MAIL_SENDER_MISSING:
    'No e-mail sender is set up, so no e-mail can be sent. Set one up in your profile or ask the administrator.',
  SHARE_MAIL_BY_PERSON: 'This server sends no links for your account. Send the link with your mail program.',
  FILE_ALIAS_INVALID: 'An alias must not contain \\ / : * < > | " ? or line breaks.',
  FILE_ALIAS_TAKEN: 'The alias is the name of another selected file. Choose another one.',
  FILE_ALIAS_DUPLICATE: 'Two files have the same alias. Choose another one.',
  LINK_FORM_REQUIRED: 'Accept the terms and fill in what is required before you upload.',
  LINK_EMAIL_REQUIRED: 'Open this link in a browser and enter the code that is sent to your e-mail address.',
  LINK_RECIPIENT_REQUIRED: 'Enter at least one e-mail address that may open this link.',
  LINK_SIGN_IN_REQUIRED: 'This link is for people of this site. Sign in to open it.',
  LINK_NOT_FOR_YOU: 'This link is not for your account. Ask the person who made it to add you.',
  LINK_PERSON_UNKNOWN: 'Some of the people or groups cannot be chosen. They may have been removed.',
  LINK_DEVICE_IN_BROWSER: 'This link opens only in a browser, because it is bound to the first device that opens it.',
  LINK_FORM_IN_BROWSER: 'Open this link in a browser. Its owner asks for some details before files can be sent.',
  LINK_NAME_REQUIRED: 'The name of the file is missing. End the address with a slash, and curl -T adds the name.',
  LINK_TAKES_FILES:
    'This link takes files and gives none. Send one with curl -T to its address with a slash at the end.',
  LINK_FILE_UNEXPECTED: 'This file is not among those that are asked for.',
  LINK_FILE_TYPE_UNEXPECTED: 'A file of another type is asked for under this name.',
  LINK_FILE_TOO_SMALL: 'The file is smaller than what is asked for.',
  LINK_FILE_TOO_LARGE: 'The file is larger than what is asked for.',
  LINK_FILE_CHECKSUM: 'This is not the file that is asked for: its SHA-256 checksum is different.',
  LINK_CHECKSUM_UNSUPPORTED:
    'Checksums cannot be checked in this folder, because its storage is remote. Leave them out.',
  LINK_SEALED:
    'This link is end-to-end encrypted and works in a browser only: the server can neither show nor pack its files, and never has the key.',
  LINK_SEALED_TERMS:
    'An end-to-end encrypted link has a folder of its own, and no mail, e-mail code, checklist, aliases, view-only mode or named people. Leave that out.',
  FILE_ALIAS_NOT_ALLOWED:
    'Aliases work with fewer than 10 files and without folders. Select fewer files, or leave the aliases out.',
} as const satisfies Partial<Record<ErrorName, string>>
