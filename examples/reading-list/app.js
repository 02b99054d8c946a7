const service = 'http://localhost:8080/'
const list = `${service}reading/`

async function send(url, request) {
  const answer = await fetch(url, request)
  if (answer.ok) return answer
  const {detail} = await answer.json()
  throw new Error(detail)
}

async function findBooks() {
  const query = `
    PREFIX ldp: <http://www.w3.org/ns/ldp#>
    PREFIX dct: <http://purl.org/dc/terms/>
    PREFIX ex: <http://example.org/ns#>
    SELECT ?book ?title ?finished {
      <${list}> ldp:contains ?book .
      ?book dct:title ?title
      OPTIONAL { ?book ex:finished ?finished }
    } ORDER BY ?title`
  const headers = {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'}
  const answer = await send(`${service}sparql`, {method: 'POST', headers, body: query})
  const {results} = await answer.json()
  return results.bindings
}

async function readBook(book) {
  const answer = await send(book)
  return {turtle: await answer.text(), tag: answer.headers.get('ETag')}
}

async function addBook(title) {
  const body = JSON.stringify({'@id': '', 'http://purl.org/dc/terms/title': title})
  await send(list, {method: 'POST', headers: {'Content-Type': 'application/ld+json'}, body})
}

async function finishBook(book) {
  const {tag} = await readBook(book)
  const today = new Date().toISOString().slice(0, 10)
  const body = `
    @prefix ex: <http://example.org/ns#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    Add { <> ex:finished "${today}"^^xsd:date . } .`
  await send(book, {method: 'PATCH', headers: {'Content-Type': 'text/ldpatch', 'If-Match': tag}, body})
}

async function removeBook(book) {
  await send(book, {method: 'DELETE'})
}

const element = name => document.querySelector(name)

function button(text, action) {
  const made = document.createElement('button')
  made.textContent = text
  made.addEventListener('click', () => run(action))
  return made
}

function item({book, title, finished}) {
  const made = document.createElement('li')
  made.append(
    finished === undefined ? title.value : `${title.value}, finished ${finished.value}`,
    button('Details', async () => {
      element('#details').textContent = (await readBook(book.value)).turtle
    }),
    button('Remove', () => removeBook(book.value)),
  )
  if (finished === undefined) made.append(button('Finished', () => finishBook(book.value)))
  return made
}

async function show() {
  element('#books').replaceChildren(...(await findBooks()).map(item))
}

async function run(action) {
  try {
    element('#error').textContent = ''
    await action()
  } catch (error) {
    element('#error').textContent = error.message
  }
}

element('#new').addEventListener('submit', event => {
  event.preventDefault()
  const {title} = event.target.elements
  run(async () => {
    await addBook(title.value)
    title.value = ''
  })
})

new EventSource(`${service}changes?under=/reading/`).addEventListener('message', () => run(show))
run(show)
