/**
 * The pages to sign in, and after signing out.
 *
 * Pure. Their forms need no JavaScript.
 */
import {pageOf} from './layout.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import type {HtmlSite} from './view.ts'

/** Where else somebody signs in or out. */
type Issuer = {readonly host: string; readonly href: string}

type SignIn = {
  readonly returnTo: string // path
  readonly issuer: Issuer | undefined // undefined: only API keys
  readonly fault?: string // of the key that was sent
}

export function signInPage(site: HtmlSite, {returnTo, issuer, fault}: SignIn): string {
  const problem = fault !== undefined && markup`<p class="problem" role="alert">${fault}</p>`
  const content =
    issuer === undefined
      ? markup`<section class="card narrow"><h1>Sign in</h1>${problem}${keyForm(site, returnTo)}</section>`
      : markup`<section class="card narrow"><h1>Sign in</h1>${problem}
    <p class="buttons"><a class="button primary" href="${issuer.href}">Sign in at ${issuer.host}</a></p>
    <details class="advanced"${fault !== undefined && markup` open`}><summary>With an API key</summary>
    ${keyForm(site, returnTo)}</details></section>`
  return pageOf(site, {title: 'Sign in'}, content)
}

function keyForm({base}: HtmlSite, returnTo: string): Markup {
  return markup`<form method="post" action="${localPath(base)}.system/sign-in"><input type="hidden" name="to"
    value="${returnTo}"><label for="page-key">API key</label><p class="quiet" id="page-key-note">It begins with
    <code>qsk_</code>. It is sent once; the browser then keeps a session, and not the key.</p><input id="page-key"
    name="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
    aria-describedby="page-key-note"><p class="buttons"><button type="submit" class="button primary">Sign in</button>
    </p></form>`
}

/** @param issuer  where the person is still signed in; the response leads there by itself */
export function signedOutPage(site: HtmlSite, issuer: Issuer | undefined): string {
  const content = markup`<section class="card narrow"><h1>You are signed out</h1>
    ${issuer && markup`<p>Next, you are signed out at <a href="${issuer.href}">${issuer.host}</a>.</p>`}
    <p class="buttons"><a class="button" href="${localPath(site.base)}">All documents</a></p></section>`
  return pageOf(site, {title: 'Signed out'}, content)
}
