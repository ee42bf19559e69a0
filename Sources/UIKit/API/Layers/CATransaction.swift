// CATransaction.swift: groups of changes of layers, with a common duration and a completion.
//
// Station   loop
// Input     begin and commit; animations that are added in between
// Output    the completion, after the last of these animations has stopped
//
// Sources   documented  CATransaction: a completion of a group without animations runs at once, at the commit
//           documented  changes outside a group belong to an implicit one, which the main loop commits before it waits
//           documented  the duration of an animation without a duration is the transaction's, 0.25 s if none is set

public import Foundation

/// Groups changes of layers. Outside an application there is no clock: animations end at once there.
open class CATransaction: NSObject {
    private static var stack: TransactionStack? { UIApplication.current?.transactions }

    open class func begin() { stack?.begin() }
    /// Ends the group of the last `begin`.
    open class func commit() { stack?.commit() }
    /// Commits the implicit group. Inside a group of `begin` nothing happens.
    open class func flush() { stack?.commitImplicit() }
    /// No effect: an application has one thread.
    open class func lock() {}
    /// No effect: an application has one thread.
    open class func unlock() {}

    /// In seconds. Setting it makes an implicit group if there is no other.
    open class func animationDuration() -> CFTimeInterval { stack?.current?.duration ?? 0.25 }
    open class func setAnimationDuration(_ dur: CFTimeInterval) { stack?.made.duration = dur }
    /// No effect here.
    open class func animationTimingFunction() -> CAMediaTimingFunction? { stack?.current?.timingFunction }
    open class func setAnimationTimingFunction(_ function: CAMediaTimingFunction?) {
        stack?.made.timingFunction = function
    }
    /// Whether changes of layers without views are not animated.
    open class func disableActions() -> Bool { stack?.current?.disablesActions ?? false }
    open class func setDisableActions(_ flag: Bool) { stack?.made.disablesActions = flag }

    /// The block that runs after the animations that are added to the group from now on.
    open class func completionBlock() -> (() -> Void)? { stack?.current?.completion }
    open class func setCompletionBlock(_ block: (() -> Void)?) {
        guard let stack else {
            block?()
            return
        }
        stack.made.setCompletion(block)
    }

    /// The value of a name: one of `kCATransaction…`, or one that `setValue(_:forKey:)` stored.
    open class func value(forKey key: String) -> Any? {
        switch key {
        case kCATransactionAnimationDuration: animationDuration()
        case kCATransactionDisableActions: disableActions()
        case kCATransactionAnimationTimingFunction: animationTimingFunction()
        case kCATransactionCompletionBlock: completionBlock()
        default: stack?.current?.named[key]
        }
    }
    open class func setValue(_ anObject: Any?, forKey key: String) {
        switch key {
        case kCATransactionAnimationDuration:
            if let seconds = (anObject as? NSNumber)?.doubleValue ?? anObject as? Double {
                setAnimationDuration(seconds)
            }
        case kCATransactionDisableActions:
            setDisableActions((anObject as? NSNumber)?.boolValue ?? anObject as? Bool ?? false)
        case kCATransactionAnimationTimingFunction:
            setAnimationTimingFunction(anObject as? CAMediaTimingFunction)
        case kCATransactionCompletionBlock: setCompletionBlock(anObject as? () -> Void)
        default: stack?.made.named[key] = anObject
        }
    }
}

/// The name of the duration of a group, in seconds.
public let kCATransactionAnimationDuration = "animationDuration"
/// The name of the flag that changes of layers are not animated.
public let kCATransactionDisableActions = "disableActions"
/// The name of the curve of a group.
public let kCATransactionAnimationTimingFunction = "animationTimingFunction"
/// The name of the block that runs after the animations of a group.
public let kCATransactionCompletionBlock = "completionBlock"
/// True, as Core Foundation names it.
public let kCFBooleanTrue: NSNumber! = NSNumber(value: true)
/// False, as Core Foundation names it.
public let kCFBooleanFalse: NSNumber! = NSNumber(value: false)
