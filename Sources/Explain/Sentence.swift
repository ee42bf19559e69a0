// Sentence.swift: every sentence of an explanation, in every language.
//
// A sentence has a case, so that a new one does not compile without its translations. Names of UIKit's classes, methods
// and states are not translated.
//
// Input     Explain+Steps.swift, RootCause, Interaction
// Output    Phrase
//
// Sources   invented

import Basics

/// A sentence with placeholders.
package enum Sentence: CaseIterable, Sendable {
    // device
    case lands, lifts, deviceCancels, inputBegins, inputEnds
    // router
    case scenePassed, owned, lockedScreen, emptyDisplay, dropped, monitorTakes, systemTakes, staysWithApp, heldForFrame
    case appExits, unresponsive
    // inbox, queue, event
    case delivered, deliveredMerged, refusedByApp, arrives, arrivesHidden, moves, endsAt, endsHidden, isCancelled
    case neverBegan, interactionIgnored
    // hitTest
    case viewPassed, hit, hitNothing, exclusive
    // gesture
    case receives, declines, keeps, undecided, undecidedUntil, enters, entersAfter, fails, failsRequired, failsExcluded,
        waits, acts
    case givesUp, releases, discards, touchDiscarded, resets
    // responder, action
    case told, chain, tracks, calls, callsFor, selects, disabled
    // the cause
    case recognized, recognizedThenCancelled, actionCalled, unrouted, homeTook, aboveApps, appGone, notReceived,
        elsewhere
    case noView, ignored, passedOver, passedOverBehind, onlyPassed, behind, controlDisabled, cancelled, recognizerFailed
    case recognizerUndecided, recognizerUndecidedUntil, recognizerWaits, unclaimed, recognizerHeld
    // answers about one view or recognizer
    case didAct, notHit, nothingHit, lostTouch, heldThenBeaten, beaten, heldThenDiscarded, hasNoSuchRecognizer
    // lines around the steps
    case so, nothing, unknown, finger, downFor, stillDown, noRecipient, inWindow, repeatedUntil
    case plays, playsStopped, noChange, noChangeFound, wouldNotAct, wouldAct
    // changes of a what-if
    case liftsEarlier, liftsLater, comesEarlier, comesLater, landsAway, landsOn, travels, drags
    case settingIs, propertyIs, propertyBecomes, requires, requiresNot, simultaneous, answers
}

extension Sentence {
    /// The sentence in every language.
    package var words: Words {
        switch self {
        case .lands: Words("the finger lands", "指が触れる", "手指按下")
        case .lifts: Words("the finger lifts", "指が離れる", "手指抬起")
        case .deviceCancels: Words("the device cancels the contact", "デバイスが接触を取り消す", "设备取消了该触点")
        case .inputBegins: Words("{0} begins", "{0} が始まる", "{0} 开始")
        case .inputEnds: Words("{0} ends", "{0} が終わる", "{0} 结束")
        case .scenePassed: Words("{0} is passed over: {1}", "{0} は対象外: {1}", "跳过 {0}:{1}")
        case .owned:
            Words("{0} receives it until it lifts", "離れるまで {0} が受け取る", "直到抬起都由 {0} 接收")
        case .lockedScreen:
            Words("nobody receives it: the screen is locked", "受け手なし: 画面がロックされている", "没有接收者:屏幕已锁定")
        case .emptyDisplay:
            Words("nobody receives it: display {0} is empty", "受け手なし: ディスプレイ {0} は空", "没有接收者:显示器 {0} 是空的")
        case .dropped: Words("system-server drops it: {0}", "system-server が破棄する: {0}", "system-server 将其丢弃:{0}")
        case .monitorTakes:
            Words("touch monitor {0} takes it", "タッチモニター {0} が奪う", "触摸监视器 {0} 取走了它")
        case .systemTakes:
            Words("the system gesture {0} takes it", "システムジェスチャー {0} が奪う", "系统手势 {0} 取走了它")
        case .staysWithApp:
            Words(
                "no system gesture takes it: it stays with its app", "システムジェスチャーは奪わず、アプリに残る",
                "没有系统手势取走它,仍归应用")
        case .heldForFrame:
            Words(
                "its moves wait for the display frame, at most {0}", "移動は表示フレームを待つ(最大 {0})",
                "移动等待显示帧,最多 {0}")
        case .appExits: Words("{0} exits, or its link is lost", "{0} が終了したか、接続が切れた", "{0} 已退出或连接断开")
        case .unresponsive:
            Words("{0} does not answer: {1}", "{0} が応答しない: {1}", "{0} 没有应答:{1}")
        case .delivered: Words("{0} receives it in {1} events", "{0} が {1} 個のイベントで受け取る", "{0} 以 {1} 个事件接收它")
        case .deliveredMerged:
            Words(
                "{0} receives it in {1} events; {2} scans were merged into them",
                "{0} が {1} 個のイベントで受け取る({2} 回のスキャンを統合)", "{0} 以 {1} 个事件接收它(合并了 {2} 次扫描)")
        case .refusedByApp: Words("{0} refuses it: {1}", "{0} が拒否する: {1}", "{0} 拒绝了它:{1}")
        case .arrives: Words("touch {0} begins at ({1}, {2})", "タッチ {0} が ({1}, {2}) で始まる", "触摸 {0} 在 ({1}, {2}) 开始")
        case .arrivesHidden:
            Words("touch {0} begins; its position is secret", "タッチ {0} が始まる(位置は秘密)", "触摸 {0} 开始(位置保密)")
        case .moves:
            Words(
                "it moves, up to {0} from where it began", "移動する(開始位置から最大 {0})", "移动,离起点最远 {0}")
        case .endsAt: Words("it ends, {0} from where it began", "終わる(開始位置から {0})", "结束,距起点 {0}")
        case .endsHidden: Words("it ends", "終わる", "结束")
        case .isCancelled: Words("it is cancelled: {0}", "取り消される: {0}", "被取消:{0}")
        case .neverBegan:
            Words("{0} ignores it: its beginning never arrived", "{0} は無視する: 開始が届いていない", "{0} 忽略它:没有收到其开始")
        case .interactionIgnored:
            Words("{0} ignores interaction events", "{0} は操作イベントを無視している", "{0} 正在忽略交互事件")
        case .viewPassed: Words("{0} is passed over: {1}", "{0} は対象外: {1}", "跳过 {0}:{1}")
        case .hit:
            Words(
                "{0} is hit, in {1}, after {2} views were asked", "{0} に当たる({1}、{2} 個のビューに問い合わせ)",
                "命中 {0}(位于 {1},询问了 {2} 个视图)")
        case .hitNothing:
            Words("no view is hit, after {0} views were asked", "どのビューにも当たらない({0} 個に問い合わせ)", "没有命中任何视图(询问了 {0} 个)")
        case .exclusive:
            Words(
                "no touch begins: {0} is touched, and one of the two is exclusive",
                "タッチは始まらない: {0} が触れられており、一方が排他的", "触摸不会开始:{0} 正被触摸,且二者之一是独占的")
        case .receives: Words("{0} receives the touch", "{0} がタッチを受け取る", "{0} 收到触摸")
        case .declines: Words("{0} does not receive it: {1}", "{0} は受け取らない: {1}", "{0} 没有收到它:{1}")
        case .keeps: Words("{0} keeps the touch from its view", "{0} がビューへの配送を止める", "{0} 暂不把触摸交给视图")
        case .undecided: Words("{0} is undecided", "{0} は未決定", "{0} 尚未决定")
        case .undecidedUntil: Words("{0} is undecided until {1}", "{0} は {1} まで未決定", "{0} 在 {1} 之前尚未决定")
        case .enters: Words("{0} enters the state {1}", "{0} の状態が {1} になる", "{0} 进入状态 {1}")
        case .entersAfter:
            Words(
                "{0} enters the state {1}, after its touch moved {2}", "タッチが {2} 動いて {0} の状態が {1} になる",
                "触摸移动 {2} 后,{0} 进入状态 {1}")
        case .fails: Words("{0} fails: {1}", "{0} が失敗: {1}", "{0} 失败:{1}")
        case .failsRequired:
            Words(
                "{0} fails: it requires {1} to fail, which was recognized", "{0} が失敗: 失敗を要求する相手 {1} が認識された",
                "{0} 失败:它要求 {1} 失败,而 {1} 已被识别")
        case .failsExcluded:
            Words(
                "{0} fails: {1} was recognized first and excludes it", "{0} が失敗: 先に認識された {1} が排除する",
                "{0} 失败:{1} 先被识别并排除了它")
        case .waits: Words("{0} waits until {1} has failed", "{0} は {1} の失敗を待つ", "{0} 等待 {1} 失败")
        case .acts: Words("{0} calls its targets: {1}", "{0} がターゲットを呼ぶ: {1}", "{0} 调用其目标:{1}")
        case .givesUp:
            Words("{0} stops: it was disabled or removed", "{0} が止まる: 無効化または除去された", "{0} 停止:被禁用或移除")
        case .releases:
            Words("{0} releases the touch after {1}: {2}", "{0} が {1} 後にタッチを渡す: {2}", "{0} 在 {1} 后放行触摸:{2}")
        case .discards:
            Words("{0} discards the touch after {1}: {2}", "{0} が {1} 後にタッチを捨てる: {2}", "{0} 在 {1} 后丢弃触摸:{2}")
        case .touchDiscarded: Words("its view never receives it: {0}", "ビューには届かない: {0}", "视图不会收到它:{0}")
        case .resets: Words("{0} is reset", "{0} がリセットされる", "{0} 被重置")
        case .told: Words("{0} is told {1}", "{0} に {1} が届く", "{0} 收到 {1}")
        case .chain:
            Words(
                "the responder chain goes on: {0}", "レスポンダーチェーンの続き: {0}", "响应链后续:{0}")
        case .tracks: Words("{0} {1} tracking", "{0} のトラッキング: {1}", "{0} 的跟踪:{1}")
        case .calls: Words("{0} is called", "{0} が呼ばれる", "调用 {0}")
        case .callsFor: Words("{0} calls {1}", "{0} が {1} を呼ぶ", "{0} 调用 {1}")
        case .selects: Words("{0} selects {1}", "{0} が {1} を選択する", "{0} 选中 {1}")
        case .disabled: Words("{0} ignores the touch: it is disabled", "{0} は無効なのでタッチを無視する", "{0} 已禁用,忽略触摸")
        case .recognized: Words("{0} was recognized, {1}", "{0} が認識された({1})", "{0} 已识别({1})")
        case .recognizedThenCancelled:
            Words("{0} was recognized, then cancelled{1}", "{0} は認識された後に取り消された{1}", "{0} 被识别后又被取消{1}")
        case .actionCalled: Words("{0} called {1}", "{0} が {1} を呼んだ", "{0} 调用了 {1}")
        case .unrouted:
            Words("system-server noted nothing about it", "system-server に記録がない", "system-server 没有相关记录")
        case .homeTook: Words("the home screen took it", "ホーム画面が受け取った", "主屏幕接收了它")
        case .aboveApps: Words("{0} lies above all apps", "{0} がすべてのアプリの上にある", "{0} 位于所有应用之上")
        case .appGone: Words("{0} exited, or its link was lost", "{0} が終了したか、接続が切れた", "{0} 已退出或连接断开")
        case .notReceived: Words("{0} noted nothing about it", "{0} に記録がない", "{0} 没有相关记录")
        case .elsewhere:
            Words(
                "{0} received it, and has no journal here: it ran on another machine",
                "{0} が受け取ったが、ここに記録がない: 別のマシンで動いていた", "{0} 收到了它,但这里没有其日志:它运行在另一台机器上")
        case .noView:
            Words("none of {0} views contains the point", "{0} 個のどのビューもその点を含まない", "{0} 个视图都不包含该点")
        case .ignored: Words("{0}", "{0}", "{0}")
        case .passedOver:
            Words(
                "isUserInteractionEnabled of {0} is false", "{0} の isUserInteractionEnabled が false",
                "{0} 的 isUserInteractionEnabled 为 false")
        case .passedOverBehind:
            Words(
                "isUserInteractionEnabled of {0} is false; {1} behind it does not use it",
                "{0} の isUserInteractionEnabled が false で、背後の {1} は使わない",
                "{0} 的 isUserInteractionEnabled 为 false,其后的 {1} 不使用它")
        case .onlyPassed:
            Words("no view is hit; {0} was passed over: {1}", "どのビューにも当たらない。{0} は対象外: {1}", "没有命中任何视图;跳过了 {0}:{1}")
        case .behind:
            Words(
                "{0} received it, and no recognizer or control acts on it; {1} in front of it was passed over: {2}",
                "{0} が受け取ったが、反応する認識器もコントロールもない。手前の {1} は対象外: {2}", "{0} 收到了它,但没有识别器或控件对其作出反应;其前面的 {1} 被跳过:{2}")
        case .controlDisabled: Words("{0} is disabled", "{0} は無効", "{0} 已禁用")
        case .cancelled: Words("cancelled: {0}", "取り消し: {0}", "被取消:{0}")
        case .recognizerFailed: Words("{0} failed: {1}", "{0} が失敗した: {1}", "{0} 失败:{1}")
        case .recognizerUndecided: Words("{0} is undecided", "{0} は未決定", "{0} 尚未决定")
        case .recognizerUndecidedUntil: Words("{0} is undecided until {1}", "{0} は {1} まで未決定", "{0} 在 {1} 之前尚未决定")
        case .recognizerWaits: Words("{0} waits: {1} has not failed", "{0} は待機中: {1} が失敗していない", "{0} 正在等待:{1} 尚未失败")
        case .recognizerHeld:
            Words("{0} held the touch for {1}: {2}", "{0} が {1} の間タッチを留めた: {2}", "{0} 把触摸延迟了 {1}:{2}")
        case .liftsEarlier: Words("the finger lifts {0} earlier", "指が {0} 早く離れる", "手指提前 {0} 抬起")
        case .liftsLater: Words("the finger lifts {0} later", "指が {0} 遅く離れる", "手指推迟 {0} 抬起")
        case .comesEarlier: Words("the finger comes {0} earlier", "指が {0} 早く来る", "手指提前 {0} 到来")
        case .comesLater: Words("the finger comes {0} later", "指が {0} 遅く来る", "手指推迟 {0} 到来")
        case .landsAway: Words("the finger lands {0} {1}", "指の触れる位置が{1}に {0} ずれる", "手指落点{1} {0}")
        case .landsOn: Words("the finger lands {0} away, on {1}", "指が {0} 離れた位置の {1} に触れる", "手指落在 {0} 外的 {1} 上")
        case .travels:
            Words("the finger moves {0} away instead of {1}", "指の移動が {1} ではなく {0}", "手指移动 {0} 而不是 {1}")
        case .drags:
            Words("the finger moves {0} {1} before it lifts", "指が離れる前に{1}へ {0} 動く", "抬起前手指{1}移动 {0}")
        case .settingIs: Words("the setting {0} is {1} (now {2})", "設定 {0} が {1}(現在 {2})", "设置 {0} 为 {1}(现为 {2})")
        case .propertyIs: Words("{0}.{1} is {2} (now {3})", "{0}.{1} が {2}(現在 {3})", "{0}.{1} 为 {2}(现为 {3})")
        case .propertyBecomes: Words("{0}.{1} is {2}", "{0}.{1} が {2}", "{0}.{1} 为 {2}")
        case .requires: Words("{0} requires {1} to fail", "{0} が {1} の失敗を要求する", "{0} 要求 {1} 失败")
        case .requiresNot:
            Words("{0} does not require {1} to fail", "{0} が {1} の失敗を要求しない", "{0} 不要求 {1} 失败")
        case .simultaneous:
            Words(
                "the delegate of {0} allows simultaneous recognition", "{0} のデリゲートが同時認識を許す",
                "{0} 的代理允许同时识别")
        case .answers: Words("{0} of {1} returns {2}", "{1} の {0} が {2} を返す", "{1} 的 {0} 返回 {2}")
        case .unknown: Words("unknown", "不明", "未知")
        case .so: Words("so", "結果", "结果")
        case .nothing: Words("nothing", "アクションなし", "无动作")
        case .finger: Words("finger {0}", "指 {0}", "手指 {0}")
        case .downFor: Words(", down for {0}", "、{0} の間", ",按下 {0}")
        case .stillDown: Words(", still down", "、まだ離れていない", ",尚未抬起")
        case .noRecipient: Words("no recipient", "受け手なし", "没有接收者")
        case .inWindow: Words(", {0} in {1}", "、{1} の {0}", ",{1} 中的 {0}")
        case .repeatedUntil: Words("{0}, {1} times until {2}", "{0}({2} まで {1} 回)", "{0}(到 {2} 共 {1} 次)")
        case .didAct: Words("{0} did act", "{0} は作動した", "{0} 已经起作用")
        case .notHit:
            Words(
                "{0} is hit, and {1} is neither this view nor around it", "当たったのは {0} で、{1} はその祖先でもない",
                "命中的是 {0},{1} 既不是它,也不是它的父视图")
        case .nothingHit: Words("no view is hit", "どのビューにも当たらない", "没有命中任何视图")
        case .lostTouch:
            Words("{0} lost its touch when {1} was recognized", "{1} が認識されたため {0} はタッチを失った", "{1} 被识别时,{0} 失去了触摸")
        case .heldThenBeaten:
            Words(
                "{0} never received the touch: it was held for {1}, and then {2} was recognized",
                "{0} にタッチは届かなかった: {1} 留められ、{2} が認識された", "{0} 从未收到触摸:它被延迟 {1},随后 {2} 被识别")
        case .beaten:
            Words(
                "{0} never received the touch: {1} was recognized first", "{0} にタッチは届かなかった: {1} が先に認識された",
                "{0} 从未收到触摸:{1} 先被识别")
        case .heldThenDiscarded:
            Words(
                "{0} never received the touch: it was held for {1} and then discarded, because {2}",
                "{0} にタッチは届かなかった: {1} 留められた後に捨てられた({2})", "{0} 从未收到触摸:它被延迟 {1} 后丢弃({2})")
        case .hasNoSuchRecognizer:
            Words(
                "{0} is on the way of the touch, and has no recognizer of this name: {1}",
                "{0} はタッチの経路にあるが、その名の認識器がない: {1}", "{0} 在触摸的路径上,但没有这个名字的识别器:{1}")
        case .plays: Words("{0} plays", "{0} 回の再生", "{0} 次重放")
        case .playsStopped: Words("{0} plays, stopped by --seconds", "{0} 回の再生、--seconds で中断", "{0} 次重放,因 --seconds 中止")
        case .noChange:
            Words(
                "what if: no single change flips the outcome ({0})", "もしも: 結果を変える単一の変更はない({0})", "假设:没有单一改动能改变结果({0})")
        case .noChangeFound: Words("what if: no change was found ({0})", "もしも: 変更は見つからなかった({0})", "假设:未找到改动({0})")
        case .wouldNotAct:
            Words(
                "it would not act, if (smallest change first, {0}):", "次の変更なら作動しない(小さい順、{0}):",
                "以下任一改动会使其不起作用(从小到大,{0}):")
        case .wouldAct:
            Words("it would act, if (smallest change first, {0}):", "次の変更なら作動する(小さい順、{0}):", "以下任一改动会使其起作用(从小到大,{0}):")
        case .unclaimed:
            Words(
                "{0} received it, and no recognizer or control acts on it", "{0} が受け取ったが、反応する認識器もコントロールもない",
                "{0} 收到了它,但没有识别器或控件对其作出反应")
        }
    }
}
