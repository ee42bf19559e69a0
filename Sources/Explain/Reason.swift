// Reason.swift: the reasons that facts contain as English words, in every language.
//
// The core that decides writes its reason with measure and limit. A reason without an entry stays English; a test finds
// each of the cores' reasons in the table.
//
// Input     facts: failures of machines (Sources/Gestures/Verdict.swift), refusals, losses, drops
// Output    Phrase
//
// Sources   invented

/// The table of reasons.
enum Reason {
    /// Returns the reason in a language; the English text if the table does not have it.
    static func text(of reason: String, in language: Language) -> String {
        guard language != .english else { return reason }
        for words in table {
            guard let values = words.values(of: reason) else { continue }
            // A value may be a measure with words: `2 fingers`.
            return Words.fill(words[language], with: values.map { text(of: $0, in: language) })
        }
        return reason
    }

    /// A template with fewer placeholders comes before one that contains it.
    static let table: [Words] = [
        // Words of values
        Words("begins", "開始", "开始"),
        Words("ends", "終了", "结束"),
        Words("cancels", "取り消し", "取消"),
        Words("row {0} of section {1}", "セクション {1} の行 {0}", "第 {1} 节第 {0} 行"),
        Words("the delegate of {0}", "{0} のデリゲート", "{0} 的代理"),

        // Measures
        Words("1 finger", "指 1 本", "1 根手指"),
        Words("farther right", "右", "偏右"),
        Words("farther left", "左", "偏左"),
        Words("farther down", "下", "偏下"),
        Words("farther up", "上", "偏上"),
        Words("to the right", "右", "向右"),
        Words("to the left", "左", "向左"),
        Words("down", "下", "向下"),
        Words("up", "上", "向上"),
        Words("sideways", "横", "横向"),
        Words("up or down", "縦", "纵向"),
        Words("{0} fingers", "指 {0} 本", "{0} 根手指"),

        // Failures of machines
        Words("moved {0}, limit {1}", "{0} 動いた(上限 {1})", "移动了 {0},上限 {1}"),
        Words(
            "landed {0} from the first tap, limit {1}", "最初のタップから {0} 離れて触れた(上限 {1})",
            "落点距第一次轻点 {0},上限 {1}"),
        Words("pressed for {0}, limit {1}", "{0} 押した(上限 {1})", "按压了 {0},上限 {1}"),
        Words("no tap for {0}, limit {1}", "{0} の間タップがない(上限 {1})", "{0} 内没有轻点,上限 {1}"),
        Words("lifted with {0}, needs {1}", "{0} で離れた(必要 {1})", "抬起时为 {0},需要 {1}"),
        Words(
            "lifted as it landed: a press of 0.000 ms, needs more", "触れた瞬間に離れた: 0.000 ms の押下では足りない",
            "按下即抬起:按压 0.000 ms,不够"),
        Words(
            "lifted after {0}, before the timer of {1} was served", "{1} のタイマーが処理される前に {0} で離れた",
            "在 {1} 的定时器触发前,{0} 时抬起"),
        Words(
            "lifted after {0}, needs {1} in a move before the lift", "{0} で離れた(離れる前の移動で {1} 必要)",
            "{0} 后抬起,抬起前的移动需要 {1}"),
        Words(
            "lifted after the distance changed by {0}, needs {1}", "距離の変化 {0} で離れた(必要 {1})",
            "距离变化 {0} 后抬起,需要 {1}"),
        Words("lifted after a turn of {0}, needs {1}", "回転 {0} で離れた(必要 {1})", "转动 {0} 后抬起,需要 {1}"),
        Words("lifted after {0}, needs {1}", "{0} で離れた(必要 {1})", "{0} 后抬起,需要 {1}"),
        Words("took {0}, limit {1}", "{0} かかった(上限 {1})", "用时 {0},上限 {1}"),
        Words("went {0} backwards, limit {1}", "{0} 逆行した(上限 {1})", "反向移动 {0},上限 {1}"),
        Words("went {0} across, limit {1}", "{0} 横にずれた(上限 {1})", "横向偏离 {0},上限 {1}"),
        Words("no edge to come over", "越えて来る端がない", "没有可越过的边缘"),
        Words("landed {0} from the edge, limit {1}", "端から {0} に触れた(上限 {1})", "落点距边缘 {0},上限 {1}"),
        Words(
            "went {0} inward, needs the {1} it went along", "内側へ {0}(端に沿った {1} 以上が必要)",
            "向内移动 {0},需要达到沿边的 {1}"),
        Words("button mask {0}, needs {1}", "ボタンマスク {0}(必要 {1})", "按钮掩码 {0},需要 {1}"),
        Words("its touches were ignored", "タッチが無視された", "其触摸被忽略"),
        Words("cancelled by the system", "システムが取り消した", "被系统取消"),
        Words(
            "it requires {0} to fail, which was recognized", "失敗を要求する相手 {0} が認識された",
            "它要求 {0} 失败,而后者已被识别"),
        Words("excluded by {0}", "{0} に排除された", "被 {0} 排除"),
        Words("its own code set its state to failed", "自身のコードが状態を failed にした", "其自身代码把状态设为 failed"),
        Words("it was disabled or removed", "無効化または除去された", "被禁用或移除"),
        Words(
            "its touches ended before it had decided", "決定する前にタッチが終わった", "在它决定之前触摸已结束"),
        Words(
            "gestureRecognizerShouldBegin of {0} returned false", "{0} の gestureRecognizerShouldBegin が false を返した",
            "{0} 的 gestureRecognizerShouldBegin 返回 false"),
        Words(
            "gestureRecognizerShouldBegin returned false", "gestureRecognizerShouldBegin が false を返した",
            "gestureRecognizerShouldBegin 返回 false"),
        Words(
            "nothing to scroll {0}, {1} of content, room for {2}", "{0} にスクロールするものがない(内容 {1}、表示 {2})",
            "{0} 方向没有可滚动的内容(内容 {1},可视 {2})"),
        Words("no view to zoom between {0} and {1}", "{0} から {1} の間で拡大するビューがない", "没有可在 {0} 到 {1} 间缩放的视图"),
        Words(
            "{0} has the touch, and canCancelContentTouches is false",
            "{0} がタッチを持ち、canCancelContentTouches が false", "{0} 持有触摸,且 canCancelContentTouches 为 false"),
        Words(
            "{0} has the touch, and touchesShouldCancel returned false",
            "{0} がタッチを持ち、touchesShouldCancel が false を返した", "{0} 持有触摸,且 touchesShouldCancel 返回 false"),

        // Refusals of touches
        Words("it is disabled", "無効になっている", "已被禁用"),
        Words("it has already decided, and waits for its reset", "すでに決定し、リセットを待っている", "已作出决定,正等待重置"),
        Words("it handles an event of another type", "別の種類のイベントを処理している", "正在处理另一类事件"),
        Words("allowedTouchTypes does not contain the type", "allowedTouchTypes にその種類がない", "allowedTouchTypes 不包含该类型"),
        Words(
            "requiresExclusiveTouchType is true, and it has touches of another type",
            "requiresExclusiveTouchType が true で、別の種類のタッチがある",
            "requiresExclusiveTouchType 为 true,且已有其他类型的触摸"),
        Words(
            "its shouldReceive(_ event:) returned false", "自身の shouldReceive(_ event:) が false を返した",
            "其 shouldReceive(_ event:) 返回 false"),
        Words(
            "its delegate returned false for shouldReceive {0}", "デリゲートの shouldReceive {0} が false を返した",
            "其代理的 shouldReceive {0} 返回 false"),

        // Views that were passed over
        Words(
            "isUserInteractionEnabled is false", "isUserInteractionEnabled が false", "isUserInteractionEnabled 为 false"),
        Words("it is hidden", "非表示", "已隐藏"),
        Words("alpha is {0}, limit 0.01", "alpha が {0}(下限 0.01)", "alpha 为 {0},下限 0.01"),
        Words("an animation excludes touches", "アニメーション中はタッチを受けない", "动画期间不接收触摸"),
        Words("the point is outside {0}", "点が {0} の外にある", "该点在 {0} 之外"),
        Words(
            "hitTest or point(inside:) answered otherwise", "hitTest または point(inside:) が別の答えを返した",
            "hitTest 或 point(inside:) 给出了不同的回答"),

        // Scenes that were passed over
        Words("its scene does not contain the point", "シーンがその点を含まない", "其场景不包含该点"),
        Words("none of its windows takes touches there", "そこでタッチを受けるウインドウがない", "那里没有接收触摸的窗口"),
        Words("it is in the background", "バックグラウンドにある", "处于后台"),

        // Content touches
        Words("another touch stopped the scroll", "別のタッチがスクロールを止めた", "另一触摸停止了滚动"),
        Words("delaysContentTouches is false", "delaysContentTouches が false", "delaysContentTouches 为 false"),
        Words("its time is up", "時間切れ", "时间已到"),
        Words("the finger lifted", "指が離れた", "手指已抬起"),
        Words("they were cancelled", "取り消された", "已被取消"),
        Words("the drag began", "ドラッグが始まった", "拖动开始了"),
        Words("the zoom began", "ズームが始まった", "缩放开始了"),
        Words("the scroll view left its window", "スクロールビューがウインドウから外れた", "滚动视图离开了窗口"),
        Words(
            "touchesShouldBegin of {0} returned false", "{0} の touchesShouldBegin が false を返した",
            "{0} 的 touchesShouldBegin 返回 false"),
        Words("touchesShouldBegin returned false", "touchesShouldBegin が false を返した", "touchesShouldBegin 返回 false"),
        Words("it stopped {0} as it scrolled", "スクロール中の {0} を止めた", "它停止了正在滚动的 {0}"),
        Words("{0} accepts one touch, and has another", "{0} は 1 本の指しか受けず、すでに別の指がある", "{0} 只接收一个触摸,且已有另一个"),
        Words("{0} took it", "{0} が奪った", "{0} 取走了它"),

        // The server and the app
        Words("landed on nothing", "何もない所に触れた", "落在空处"),
        Words("its owner died", "受け手が終了した", "其所有者已终止"),
        Words("ignored until lift", "離れるまで無視される", "在抬起前被忽略"),
        Words("its landing was not received", "触れた記録が届いていない", "没有收到其按下事件"),
        Words("it never received its landing", "触れた記録が届いていない", "没有收到其按下事件"),
        Words("nothing new", "新しいことがない", "没有变化"),
        Words("its app does not answer", "アプリが応答しない", "其应用没有应答"),
        Words("limit of {0} contacts", "接触は {0} 個まで", "触点上限 {0}"),
        Words("{0} scans in flight, limit {1}", "配送中のスキャン {0}(上限 {1})", "在途扫描 {0},上限 {1}"),
        Words("taken by {0}", "{0} に奪われた", "被 {0} 取走"),
        Words("{0} frames to it are missing", "{0} 個のフレームが欠けている", "缺少 {0} 个帧"),
        Words("it had no run-loop turn for too long", "ランループが長く回らなかった", "运行循环太久没有运转"),
        Words("its inbox is full", "受信箱が一杯", "其收件箱已满"),
        Words("interaction events are ignored", "操作イベントが無視されている", "交互事件被忽略"),
        Words("{0} is touched, and one of the two is exclusive", "{0} が触れられており、一方が排他的", "{0} 正被触摸,且二者之一是独占的"),
        Words("the screen is locked", "画面がロックされている", "屏幕已锁定"),
        Words("{0} does not respond", "{0} が応答しない", "{0} 没有响应"),
        Words("it ended", "終了した", "已终止"),

        // Cancellations
        Words("pilfered by monitor {0}", "タッチモニター {0} が奪った", "被触摸监视器 {0} 取走"),
        Words("system gesture: {0}", "システムジェスチャー: {0}", "系统手势:{0}"),
        Words("{0} came to the front", "{0} が前面に出た", "{0} 来到前台"),
        Words("the screen was locked", "画面がロックされた", "屏幕被锁定"),
        Words("an alert", "アラート", "提醒"),
        Words("a call", "着信", "来电"),
        Words("home", "ホーム", "主屏幕"),
        Words("system-server cancelled it", "system-server が取り消した", "system-server 取消了它"),
        Words("input-kit ended", "input-kit が終了した", "input-kit 已终止"),
        Words("{0} was disconnected", "{0} の接続が切れた", "{0} 断开了连接"),
        Words("system-server was suspended for too long", "system-server が長く止まっていた", "system-server 被挂起过久"),
        Words("its device cancelled the contact", "デバイスが接触を取り消した", "其设备取消了该触点"),

        // The number of fingers
        Words("{0}, limit {1}", "{0}(上限 {1})", "{0},上限 {1}"),
    ]
}
