// SPDX-License-Identifier: Apache-2.0
// dom: as much of a document as the scripts of a page need, without a browser: a tree of elements
// with attributes, classes, data and listeners. Nothing is laid out: every element is 800 wide.
"use strict";

const VOID = new Set(["meta", "link", "input", "!doctype"]);
const camel = name => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

// What is stored becomes a text, as in a browser.
const texts = { set: (data, key, value) => ((data[key] = String(value)), true) };
const style = { setProperty() {} };

// Pages draw thousands of elements in each moment: what few of them have is made when asked for.
class Element {
    constructor(name) {
        this.name = name;
        this.attributes = {};
        this.nodes = []; // elements and texts
        this.parentElement = null;
    }
    get clientWidth() {
        return 800;
    }
    get style() {
        return style;
    }
    get classes() {
        this.names ??= new Set((this.attributes.class ?? "").split(" "));
        return this.names;
    }
    get classList() {
        const names = this.classes;
        return {
            contains: name => names.has(name),
            add: name => names.add(name),
            toggle: (name, on = !names.has(name)) => (on ? names.add(name) : names.delete(name))
        };
    }
    get dataset() {
        if (this.data === undefined) {
            this.data = new Proxy({}, texts);
            for (const key in this.attributes)
                if (key.startsWith("data-")) this.data[camel(key.slice(5))] = this.attributes[key];
        }
        return this.data;
    }
    get children() {
        return this.nodes.filter(node => node instanceof Element);
    }
    get textContent() {
        return this.nodes.map(node => node.textContent ?? node).join("");
    }
    set textContent(words) {
        this.nodes = [String(words)];
    }
    set className(names) {
        this.names = new Set(names.split(" "));
    }
    setAttribute(key, value) {
        this.attributes[key] = String(value);
        if (key === "class") this.names = undefined;
        if (this.data !== undefined && key.startsWith("data-"))
            this.data[camel(key.slice(5))] = value;
    }
    getAttribute(key) {
        return this.attributes[key] ?? null;
    }
    append(...nodes) {
        for (const node of nodes) if (node instanceof Element) node.parentElement = this;
        this.nodes.push(...nodes);
    }
    replaceChildren(...nodes) {
        this.nodes = [];
        this.append(...nodes);
    }
    addEventListener(event, listener) {
        (this.listeners ??= []).push([event, listener]);
    }
    emit(event, details = {}) {
        for (const [name, listener] of this.listeners ?? [])
            if (name === event) listener({ target: this, preventDefault() {}, ...details });
    }
    // One of "#id", ".class" or a name.
    is(selector) {
        if (selector.startsWith("#")) return this.attributes.id === selector.slice(1);
        if (selector.startsWith(".")) return this.classes.has(selector.slice(1));
        return this.name === selector;
    }
    // Add all descendants that are what a function asks for.
    collect(asked, found) {
        for (const node of this.nodes)
            if (node instanceof Element) {
                if (asked(node)) found.add(node);
                node.collect(asked, found);
            }
        return found;
    }
    // Of selectors between commas; each may have ancestors before it.
    querySelectorAll(selectors) {
        const found = new Set();
        for (const selector of selectors.split(",")) {
            let level = new Set([this]);
            for (const part of selector.trim().split(/\s+/)) {
                const next = new Set();
                for (const at of level) at.collect(element => element.is(part), next);
                level = next;
            }
            for (const element of level) found.add(element);
        }
        return [...found];
    }
    querySelector(selectors) {
        return this.querySelectorAll(selectors)[0] ?? null;
    }
}

// The tree of a page; the contents of scripts and styles are texts.
function parse(html) {
    const root = new Element("document"),
        pattern = /<(\/?)([!\w]+)((?:"[^"]*"|[^>"])*)>|<!--.*?-->/gs;
    let at = root,
        from = 0;
    for (let match; (match = pattern.exec(html)) !== null; from = pattern.lastIndex) {
        const [, close, name, rest] = match;
        if (match.index > from) at.nodes.push(html.slice(from, match.index));
        if (name === undefined) continue;
        if (close) {
            at = at.parentElement;
            continue;
        }
        const element = new Element(name);
        for (const [, key, value] of rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g))
            element.setAttribute(key, value ?? "");
        at.append(element);
        if (name === "script" || name === "style") {
            const end = html.indexOf(`</${name}>`, pattern.lastIndex);
            element.nodes = [html.slice(pattern.lastIndex, end)];
            pattern.lastIndex = end + `</${name}>`.length;
        } else if (!VOID.has(name) && !rest.endsWith("/")) {
            at = element;
        }
    }
    return root;
}

// A document of a page, with what its scripts ask of it.
function open(html) {
    const document = parse(html),
        byId = new Map();
    for (const element of document.collect(element => "id" in element.attributes, new Set()))
        byId.set(element.attributes.id, element);
    // Most queries begin with an id, which need not be looked for.
    document.querySelectorAll = function (selectors) {
        const [, id, rest] = selectors.match(/^#(\S+) (.+)$/) ?? [];
        return byId.has(id)
            ? byId.get(id).querySelectorAll(rest)
            : Element.prototype.querySelectorAll.call(this, selectors);
    };
    document.body = document.querySelector("body");
    document.getElementById = id => byId.get(id) ?? null;
    document.createElement = name => new Element(name);
    document.createElementNS = (_, name) => new Element(name);
    return document;
}

module.exports = { open };
